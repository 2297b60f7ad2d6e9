// Browsers start no worker from a file. Pages that were opened from a folder get this one instead:
// the worker's script runs in a hidden frame, which shares the page's thread.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      this.waiting = [];
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) =>
        urls.reduce((before, one) => before.then(() => load(inside, one)), Promise.resolve());
      load(inside, String(new URL(url, location.href))).then(() => {
        this.inside = inside;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }
    postMessage(data) {
      if (!this.inside) this.waiting.push(data);
      else this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
  const load = (inside, url) =>
    new Promise((resolve, reject) => {
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = resolve;
      script.onerror = () => reject(new Error("cannot load " + url));
      inside.document.body.append(script);
    });
  window.Worker = window.IFrameWorker;
}
