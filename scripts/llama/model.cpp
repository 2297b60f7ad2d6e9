// Runs a model by llama.cpp's library on one device, and prints what it computes as JSON lines.
//
//   model tokens|perplexity|embed MODEL DEVICE on|off <lines    DEVICE: CANN0, or none for the CPU
//   model quantize MODEL OUT F16|Q8_0|Q4_0
//
// Each line of stdin is a prompt or a text. `on` and `off` are flash attention. See model.py.

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "ggml-backend.h"
#include "llama.h"

namespace {

constexpr int TOKENS = 32;    // that follow a prompt
constexpr int CONTEXT = 512;

[[noreturn]] void fail(const std::string &why) {
    fprintf(stderr, "%s\n", why.c_str());
    exit(1);
}

struct Moment {
    double wall, cpu;
};

Moment now() {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](timeval t) { return t.tv_sec + t.tv_usec * 1e-6; };
    return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            seconds(used.ru_utime) + seconds(used.ru_stime)};
}

struct Model {
    llama_model *model;
    llama_context *context;
    const llama_vocab *vocab;

    Model(const char *path, const std::string &device, bool flash, bool embed) {
        auto how = llama_model_default_params();
        ggml_backend_dev_t devices[2] = {nullptr, nullptr};
        if (device != "none" && !(devices[0] = ggml_backend_dev_by_name(device.c_str())))
            fail("there is no device " + device);
        how.devices = devices;
        how.n_gpu_layers = 99;
        if (!(model = llama_model_load_from_file(path, how))) fail(std::string("cannot load ") + path);
        auto size = llama_context_default_params();
        size.n_ctx = size.n_batch = size.n_ubatch = CONTEXT;
        size.flash_attn_type = flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
        size.embeddings = embed;
        if (const char *threads = getenv("MODEL_THREADS")) size.n_threads = size.n_threads_batch = atoi(threads);
        if (!(context = llama_init_from_model(model, size))) fail("cannot make a context");
        vocab = llama_model_get_vocab(model);
    }

    std::vector<llama_token> tokens(const std::string &text) const {
        std::vector<llama_token> found(CONTEXT);
        const int count = llama_tokenize(vocab, text.data(), text.size(), found.data(), CONTEXT, true, true);
        if (count < 0) fail("a text is longer than the context");
        found.resize(count);
        return found;
    }

    void forget() const { llama_memory_clear(llama_get_memory(context), true); }

    void decode(llama_batch batch) const {
        if (llama_decode(context, batch)) fail("llama_decode failed");
    }
};

// The most likely token, and how far its logit is above the next one.
std::pair<llama_token, double> best(const float *logits, int count) {
    int first = logits[0] >= logits[1] ? 0 : 1, second = 1 - first;
    for (int k = 2; k < count; ++k)
        if (logits[k] > logits[first]) second = first, first = k;
        else if (logits[k] > logits[second]) second = k;
    return {first, double(logits[first]) - logits[second]};
}

void say_tokens(const Model &on, const std::string &prompt) {
    const int size = llama_vocab_n_tokens(on.vocab);
    auto given = on.tokens(prompt);
    on.forget();
    on.decode(llama_batch_get_one(given.data(), given.size()));
    std::string ids, margins;
    Moment began = now();
    for (int k = 0; k < TOKENS; ++k) {
        auto [token, margin] = best(llama_get_logits_ith(on.context, -1), size);
        ids += (k ? ", " : "") + std::to_string(token);
        margins += (k ? ", " : "") + std::to_string(margin);
        if (k == 1) began = now();  // the first one compiles kernels
        if (k + 1 < TOKENS) on.decode(llama_batch_get_one(&token, 1));
    }
    const Moment ended = now();
    printf("{\"tokens\": [%s], \"margins\": [%s], \"seconds\": %.6f, \"cpu_seconds\": %.6f}\n",
           ids.c_str(), margins.c_str(), (ended.wall - began.wall) / (TOKENS - 2),
           (ended.cpu - began.cpu) / (TOKENS - 2));
}

void say_perplexity(const Model &on, const std::string &text) {
    const int size = llama_vocab_n_tokens(on.vocab);
    auto given = on.tokens(text);
    on.forget();
    auto batch = llama_batch_init(given.size(), 0, 1);
    batch.n_tokens = given.size();
    for (int k = 0; k < batch.n_tokens; ++k) {
        batch.token[k] = given[k], batch.pos[k] = k, batch.n_seq_id[k] = 1;
        batch.seq_id[k][0] = 0, batch.logits[k] = true;
    }
    on.decode(batch);
    double total = 0;
    for (size_t k = 0; k + 1 < given.size(); ++k) {
        const float *logits = llama_get_logits_ith(on.context, k);
        double sum = 0;
        for (int t = 0; t < size; ++t) sum += exp(double(logits[t]) - logits[given[k + 1]]);
        total += log(sum);
    }
    llama_batch_free(batch);
    printf("{\"tokens\": %zu, \"perplexity\": %.9g}\n", given.size(), exp(total / (given.size() - 1)));
}

void say_embedding(const Model &on, const std::string &text) {
    auto given = on.tokens(text);
    on.forget();
    on.decode(llama_batch_get_one(given.data(), given.size()));
    const float *found = llama_get_embeddings_seq(on.context, 0);
    if (!found) fail("the model has no embedding of a text");
    printf("{\"embedding\": [");
    for (int k = 0; k < llama_model_n_embd(on.model); ++k) printf("%s%.9g", k ? ", " : "", found[k]);
    printf("]}\n");
}

void quantize(const char *path, const char *out, const std::string &type) {
    const std::map<std::string, std::pair<llama_ftype, ggml_type>> types = {
        {"F16", {LLAMA_FTYPE_MOSTLY_F16, GGML_TYPE_F16}},
        {"Q8_0", {LLAMA_FTYPE_MOSTLY_Q8_0, GGML_TYPE_Q8_0}},
        {"Q4_0", {LLAMA_FTYPE_MOSTLY_Q4_0, GGML_TYPE_Q4_0}},
    };
    if (!types.count(type)) fail("unknown type " + type);
    auto how = llama_model_quantize_default_params();
    how.ftype = types.at(type).first;
    how.token_embedding_type = types.at(type).second;
    how.allow_requantize = how.pure = true;
    if (llama_model_quantize(path, out, &how)) fail("cannot quantize");
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 5) fail("see the head of model.cpp");
    setvbuf(stdout, nullptr, _IOLBF, 0);
    llama_log_set([](ggml_log_level level, const char *text, void *) {
        if (level == GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
    }, nullptr);
    ggml_backend_load_all();
    llama_backend_init();
    const std::string what = argv[1];
    if (what == "quantize") {
        quantize(argv[2], argv[3], argv[4]);
        return 0;
    }
    const Model on(argv[2], argv[3], std::string(argv[4]) == "on", what == "embed");
    for (std::string line; std::getline(std::cin, line);) {
        if (what == "tokens") say_tokens(on, line);
        else if (what == "perplexity") say_perplexity(on, line);
        else if (what == "embed") say_embedding(on, line);
        else fail("see the head of model.cpp");
    }
}
