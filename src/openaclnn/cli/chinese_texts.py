"""The entries of `chinese`: English sentences, and what they are in Chinese."""

OF_CLICK = {
    "Usage: {}": "用法：{}",
    "Options": "选项",
    "Commands": "命令",
    "Error: {}": "错误：{}",
    "Try '{}' for help.": "用 '{}' 查看帮助。",
    "Show this message and exit.": "显示本说明。",
    "Show the version and exit.": "显示版本。",
    "Aborted!": "已中止。",
    "Missing argument '{}'.": "缺少参数 '{}'。",
    "Missing option '{}'.": "缺少选项 '{}'。",
    "No such option '{}'.": "没有选项 '{}'。",
    "No such option: {}": "没有选项：{}",
    "No such option '{}'. Did you mean '{}'?": "没有选项 '{}'，是否想用 '{}'？",
    "No such command '{}'.": "没有命令 '{}'。",
    "Option '{}' requires an argument.": "选项 '{}' 需要一个值。",
    "Option '{}' does not take a value.": "选项 '{}' 不带值。",
    "Got unexpected extra argument ({})": "多余的参数（{}）",
    "Got unexpected extra arguments ({})": "多余的参数（{}）",
    "Invalid value for '{}': {}": "'{}' 的值无效：{}",
    "'{}' is not one of {}.": "'{}' 不是以下之一：{}。",
    "'{}' is not a valid integer.": "'{}' 不是整数。",
    "'{}' is not a valid float.": "'{}' 不是数。",
}  # fmt: skip

OURS = {
    # openaclnn --help
    "Run aclnn programs without an NPU.": "没有 NPU，也能运行 aclnn 程序。",
    "There is no command '{}'; did you mean {}?": "没有命令 '{}'，是否想用 {}？",
    "Print JSON for programs.": "输出供程序读取的 JSON。",
    "Language of the texts; the default follows LANG.": "英文或中文；默认取决于 LANG。",
    # bench
    "Measure operators beside PyTorch, JAX and NumPy.":
        "测量算子的速度，并与 PyTorch、JAX 和 NumPy 对比。",
    "Without --op, the operators marked as examples are measured. Selecting options may be "
    "repeated. A ratio of 2 means that openaclnn takes half the time: the median of rounds in "
    "which both sides run interleaved; times are minima. Both sides use the same operands, outputs "
    "and number of threads. Ctrl-C prints the results so far.":
        "不给 --op 时测量算子文件中标明默认测量的算子。用于筛选的选项可以重复。比值为 2 表示我们只需一半"
        "时间，取各方轮流执行的各轮的中位数；时间取最小值。各方的操作数、输出和线程数都相同。Ctrl-C 输出"
        "已测得的结果。",
    "about two minutes": "约两分钟",
    "and, after a change:": "修改之后：",
    "This operator only, one of your own too; all: those that PyTorch has as well.":
        "只测该算子，如 silu_backward；自定义算子亦可；all：PyTorch 也有的全部算子。",
    "Only this dtype, such as f16.": "只测该数据类型，如 f16。",
    "Only this many elements, such as 2^20.": "只测该元素个数，如 2^20。",
    "Only this layout; `--layout list` explains them; all: every one; random: 200 random ones. "
    "A shape is one, too: 64x1009.":
        "只测该布局；`--layout list` 列出其含义；all 表示全部；random 表示随机的 200 种；"
        "也可给出 shape，如 64x1009。",
    "Measure this many random cases: operators, dtypes, levels, dimensions, shapes of 10^4 to "
    "2*10^7 elements.":
        "随机用例的个数：算子、数据类型、级别、10^4 至 2*10^7 个元素的 shape 与维度均随机。",
    "Seed of --random, which repeats its cases.": "--random 的种子：重复相同的用例。",
    "random shapes": "随机的 shape",
    "Ways of calling: function, tensors, new, phases, repeated, c, c-repeated, all.":
        "调用方式：function、tensors、new、phases、repeated、c、c-repeated 或 all。",
    "exact, fast, or usual: exact where it takes no longer.":
        "exact、fast 或 usual（exact 不增加耗时处用 exact）。",
    "torch, torch.compile, jax or numpy.": "torch、torch.compile、jax 或 numpy。",
    "Threads of each side; all cores by default.": "各方的线程数；默认用全部核。",
    "How long to measure each case at least.": "每个用例至少测量多少秒。",
    "Repeat all measurements; the worst counts.": "全部重复测量的次数；取最差者。",
    "All sizes and layouts; takes a quarter of an hour.": "全部大小和布局，约一刻钟。",
    "Check this project's own speed targets; cells that miss one are measured again, longer. Exit "
    "status 1 if one is missed.": "按本项目的目标评判，未达到者以更长时间重测；退出码 1 表示未达到。",
    "Show what changed since an earlier result.": "与该结果相比的变化。",
    "Report an earlier result instead of measuring.": "显示该结果，不测量。",
    "List every case with its times.": "列出每个用例的时间。",
    # call
    "Call an operator on .npy files.": "对 .npy 文件调用一个算子。",
    "openaclnn call OPERATOR --help lists an operator's options. Exit status: 0, 1 if the operator "
    "refuses the call (status and reason are on stderr), 2 if a file cannot be read or written or "
    "the command was used wrongly.":
        "某个算子的其他选项：openaclnn call OPERATOR --help。退出码：0 表示成功；1 表示算子拒绝该调用"
        "（状态码和原因在标准错误输出中）；2 表示文件无法读写或命令用法有误。",
    "{}, of .npy files.": "{}，输入为 .npy 文件。",
    "File for the result; without it, the result is printed. Several results have an option each.":
        "结果写到何处；不给出则打印。有多个结果时各给一个。",
    "Dtype of the result; by default the promoted dtype of the inputs.":
        "结果的数据类型；默认为各输入推导出的类型。",
    "Level of arithmetic.": "运算的级别。",
    "The emulated chip; {} by default, {} for example.":
        "所模拟的芯片；默认为 {}，也可以是 {} 等。",
    "Where to compute.": "在何处计算。",
    # compare
    "Judge results against values of higher precision.": "以更高精度的值评判结果。",
    "Judge the results in ACTUAL against the values of higher precision in GOLDEN.":
        "以 GOLDEN 中更高精度的值评判 ACTUAL 中的结果。",
    "Files are .npy, .npz or .pt (FILE:NAME if they hold several arrays), or raw .bin with --dtype "
    "and --shape. GOLDEN may be a folder written by `openaclnn golden`, FOLDER:NAME if there are "
    "several outputs. Integers and booleans must be equal.":
        "文件可以是 .npy、.npz 或 .pt（含多个数组时写作 FILE:NAME），或配合 --dtype 和 --shape 的裸 "
        ".bin 文件。GOLDEN 也可以是 `openaclnn golden` 写出的目录，有多个输出时写作 FOLDER:NAME。"
        "整数和布尔值应当相等。",
    "If GOLDEN is a folder of such folders, ACTUAL is the folder of their results: CASE.npy, or "
    "files in CASE/.":
        "GOLDEN 为多个此类目录的上级目录时，ACTUAL 是存放其结果的目录：CASE.npy，或 CASE/ 中的文件。",
    "Exit status: 0 if every standard that decides passes, 1 if one fails or results are missing, "
    "2 if a file cannot be read or the command was used wrongly.":
        "退出码：0 表示起决定作用的标准全部通过；1 表示有标准未通过或缺少结果；2 表示文件无法读取或命令"
        "用法有误。",
    "For a folder of cases: also write a JUnit report.": "多个用例：同时以 JUnit XML 写出结论。",
    "For a folder of cases: also write all figures as a table.": "多个用例：同时以 CSV 写出含全部数据的表格。",
    "{} is for one comparison, {} has many cases": "{} 用于单次比较，而 {} 含有多个用例",
    "--junit and --csv are for many cases; {} is one": "--junit 和 --csv 用于多个用例；{} 只是一个",
    "{} is no folder; expected one with results of {}": "{} 不是目录；应为存放 {} 的结果的目录",
    "case": "用例",
    "shape": "shape",
    "rounded": "正确舍入",
    "cosine": "余弦",
    "largest": "最大误差",
    "missing": "缺少",
    "{} of {} pass, {} fail, {} missing": "{1} 个中 {0} 个通过，{2} 个未通过，{3} 个缺少结果",
    "{}: there are no results: expected {}, or .npz, .pt, .bin":
        "{}：没有结果：应有 {}，或 .npz、.pt、.bin",
    "{}: {} has elements of {}; expected {}": "{}：{} 的元素类型为 {}；应为 {}",
    "Judge by this standard only; may be repeated: mixed, relative, double-thousandth, adapter, "
    "msprobe, msprobe-benchmark (with --benchmark), ulp; all. By default mixed decides (ulp for "
    "DOUBLE); the others are for information.":
        "只按该标准评判，可以重复：mixed、relative、double-thousandth、adapter、msprobe、"
        "msprobe-benchmark（需要 --benchmark）、ulp；all 表示全部。默认由 mixed（DOUBLE 为 ulp）决定，"
        "其余仅供参考。",
    "The results' dtype: of raw bytes or bit patterns, or to judge by.":
        "结果的数据类型：裸字节、位模式的类型，或按何种类型评判。",
    "The dtype of a raw golden file, if it differs.": "裸 golden 文件的类型（若与结果不同）。",
    "The shape of raw files, such as 128,1024.": "裸文件的 shape，如 128,1024。",
    "Another device's results, for msprobe-benchmark.": "另一设备的结果，用作对照。",
    "Round golden to the results' dtype first.": "先把 golden 舍入到结果的类型。",
    "Largest error for the standard ulp (0.51 by default).":
        "标准 ulp 允许的最大误差（默认为 0.51）。",
    "How many of the worst elements to list.": "列出误差最大的多少个元素。",
    "Plot the error against magnitude and position.": "画出误差随数值大小和位置的分布。",
    # compile
    "Compile the usual kernels for a GPU into the cache.": "为 GPU 预先编译常用的 kernel。",
    "All operators, contiguous and transposed, at both levels. Neither a GPU nor PyTorch is "
    "needed. A machine with such a GPU and the same cache folder then compiles nothing.":
        "所有算子、连续与转置的布局、两个级别。不需要 GPU，也不需要 PyTorch；有这种 GPU 且缓存目录相同的"
        "机器可立即运行。",
    "The GPU: sm_80, sm_90, sm_100, …": "GPU：sm_80、sm_90、sm_100 等。",
    "One dtype throughout, or every mix that an operator allows.":
        "单一数据类型，或算子允许的所有组合。",
    # doctor
    "Show what is installed and check that it works.": "显示环境信息并自检。",
    "Exit status: 0 if the self-check passes, 1 if it fails or the chosen device is missing.": "退出码：0 表示自检通过，1 表示未通过或所选设备不存在。",
    "Delete all cached code.": "删除缓存的全部编译结果。",
    "versions": "版本",
    "processor": "处理器",
    "devices and settings": "设备与设置",
    "cache": "缓存",
    "C programs": "C 程序",
    "self-check": "自检",
    "system": "系统",
    "vectors": "向量指令",
    "threads": "线程",
    "device": "设备",
    "level": "级别",
    "product": "产品",
    "folder": "目录",
    "trouble": "问题",
    "not installed": "未安装",
    "none known": "未知",
    "empty": "空",
    "passed": "通过",
    "{} on cpu": "{}，在 cpu 上",
    "{} on cpu and cuda": "{}，在 cpu 和 cuda 上",
    "failed": "未通过",
    "{}, in /{}": "{}，位于 /{}",
    "{} of {} (OMP_NUM_THREADS changes it)": "{}，共 {} 核（可用 OMP_NUM_THREADS 更改）",
    "libgomp.so.1 is not there; Python's threads share the work, a little slower":
        "没有 libgomp.so.1；改由 Python 的线程分担，稍慢",
    "no device": "没有设备",
    "none: {}": "无：{}",
    "{} device, {} of {} free": "{} 个设备，{} / {} 空闲",
    "{} devices, {} of {} free": "{} 个设备，{} / {} 空闲",
    "{} (OPENACLNN_DEVICE)": "{}（OPENACLNN_DEVICE）",
    "{} (OPENACLNN_MATH)": "{}（OPENACLNN_MATH）",
    "{} (OPENACLNN_SOC), one of {}": "{}（OPENACLNN_SOC），可选 {}",
    "{} (OPENACLNN_CACHE)": "{}（OPENACLNN_CACHE）",
    "wrong: {}": "有误：{}",
    "{}, which is not there": "{}，但该设备不存在",
    "nothing can be kept: {}; everything is compiled anew each time":
        "无法保存：{}；每次都要重新编译",
    "{} entries, {}": "{} 项，{}",
    "not there: only Python programs can be run": "没有：只能运行 Python 程序",
    "{}, built at first use": "{}，首次使用时生成",
    "variables": "环境变量",
    "library": "库",
    "import": "导入",
    "{}; tested is {}": "{}；测试所用版本是 {}",
    "not installed; torch_npu needs {}": "未安装；torch_npu 需要 {}",
    "{} does not fit: torch_npu needs {}": "{} 不匹配：torch_npu 需要 {}",
    "not set: source {}": "未设置：请执行 source {}",
    "ASCEND_HOME_PATH is {}": "ASCEND_HOME_PATH 为 {}",
    "ASCEND_HOME_PATH is {}, and not this openaclnn's toolkit {}":
        "ASCEND_HOME_PATH 为 {}，不是此 openaclnn 的工具包 {}",
    "{} is not in LD_LIBRARY_PATH": "LD_LIBRARY_PATH 中没有 {}",
    "not tried without the variables": "未设置环境变量，未尝试",
    "does not come to an end": "没有结束",
    "works: {} device, {}": "成功：{} 个设备，{}",
    "works: {} devices, {}": "成功：{} 个设备，{}",
    "fails: {}": "失败：{}",
    "deleted {} of compiled code from {}": "已从 {1} 删除 {0} 编译结果",
    "all is well": "一切正常",
    "the self-check failed": "自检未通过",
    "the settings are wrong": "设置有误",
    "the chosen device is not there": "所选设备不存在",
    "Old compiled code may be the reason: try again with --clear-cache. If it stays, please report "
    "it with the output of openaclnn doctor --json.":
        "原因可能是旧的编译结果：请加上 --clear-cache 再试。若仍有问题，请附上 openaclnn doctor --json "
        "的输出报告。",
    "Choose another with OPENACLNN_DEVICE.": "请用 OPENACLNN_DEVICE 选择其他设备。",
    # golden
    "Write inputs and golden outputs of OPERATOR to a folder.":
        "把 OPERATOR 的输入和标杆输出写到一个目录。",
    "One file per input, golden.npy with the true results in float64, golden_rounded.npy with the "
    "same in the output's dtype, and manifest.json with everything needed to make the call. "
    "Several outputs have a file each: golden_NAME.npy. A tensor that the operator changes is an "
    "input and an output.":
        "每个输入一个文件；golden.npy 为 float64 的真值；golden_rounded 为舍入到输出类型的真值；"
        "manifest.json 含重现该调用所需的全部信息。有多个输出时各有一份：golden_NAME.npy。"
        "被算子改写的张量既是输入也是输出。",
    "Shape of all inputs, or of one: self=1,1024.": "所有输入的 shape，或其中一个：self=1,1024。",
    "Dtype of all inputs (f16, s32, …), or of one: self=bf16. The default is f32 if the operator "
    "takes it.":
        "如 f16 或 s32；所有输入，或其中一个：self=bf16。默认为 f32（若算子支持）。",
    "Dtype of the outputs, or of one: mask=u8. The default follows from the inputs.":
        "输出的类型，或多个输出之一：mask=u8；默认由输入的类型推导。",
    "Leave out this optional tensor.": "不给出该可选张量。",
    "Number of tensors in a list.": "列表中张量的个数。",
    "An attribute: reduction=sum, beta=0.5, negative_slope=0.1:f16.":
        "如 reduction=sum、beta=0.5、negative_slope=0.1:f16。",
    "contiguous, transposed, sliced, offset or reversed, of all tensors or of one.":
        "contiguous（连续）、transposed（转置）、sliced（切片）、offset（偏移）或 reversed（反向）；"
        "所有张量，或其中一个。",
    "standard, bits, uniform:LOW,HIGH or normal:MEAN,DEVIATION.":
        "standard、bits、uniform:LOW,HIGH 或 normal:MEAN,DEVIATION。",
    "Make one element in 16 NaN, infinite, zero, subnormal or extreme.":
        "每 16 个元素中有一个为 NaN、无穷、零、次正规数或极值。",
    "Seed of the random values.": "随机数值的种子。",
    "Raw .bin files instead of .npy, for C++ programs.": "写裸 .bin 文件而不是 .npy，供 C++ 程序使用。",
    "Folder to write; created if it does not exist.": "写到何处；不存在则创建。",
    "{}: {} of {}, written to {}": "{}：{} 个 {}，已写到 {}",
    "compare a result with: openaclnn compare RESULT {}":
        "比对结果：openaclnn compare RESULT {}",
    # home, run
    "Print the toolkit folder, building it at first use.": "打印工具包目录，首次使用时生成。",
    'source "$(openaclnn home)/set_env.sh"; then Ascend projects build and run as usual, and '
    "CMake's find_package(openaclnn) and pkg-config find it.":
        'source "$(openaclnn home)/set_env.sh" 之后，昇腾的工程可照常编译和运行，CMake 的 '
        "find_package(openaclnn) 和 pkg-config 也能找到它。",
    "openaclnn: building the toolkit folder {}": "openaclnn：正在生成工具包目录 {}",
    "Run FILE, a program written for Ascend, with ARGUMENTS.":
        "运行为昇腾编写的程序 FILE，参数为 ARGUMENTS。",
    "A C or C++ source is compiled first (with $CC or $CXX; the binary is cached), a Python script "
    "runs with the module acl on its path, anything else is executed.":
        "C 或 C++ 源文件先行编译（用 $CC 或 $CXX，编译结果留待下次使用）；Python 脚本可以 import acl；"
        "其他文件直接执行。",
    "Where operators run.": "算子在何处运行。",
    "The emulated chip: {}, or in full as in {}.":
        "所模拟的芯片：{}，或写全名，如 {}。",
    'Flags for the compiler: "-O2 -pthread".': '编译选项，如 "-O2 -pthread"。',
    # sanitize
    "Run FILE as `run` does, and report its mistakes.":
        "像 `run` 一样运行 FILE，并报告其中的错误。",
    "Reports go to stderr while the program runs.":
        "程序运行时，报告写到 stderr。",
    "Which tools to run.": "使用哪些工具。",
    "Report leaks at the end; the default.": "程序结束时报告泄漏；默认如此。",
    "Print one JSON object for each line.": "每行一个 JSON 对象。",
    "Also write a SARIF log here, for code hosts.": "同时写出供代码平台使用的 SARIF 日志。",
    "Also write a JUnit report here, with a failed test for each finding.":
        "同时在此写出 JUnit XML，每个问题对应一个失败的测试。",
    "Reports go here, not to stderr.": "报告写到此文件，而不是 stderr。",
    "Exit with N if there are errors or the check is incomplete. Without it, the status is the "
    "program's, or 2 if the check is incomplete.":
        "发现错误或未能全部检查时以 N 退出；否则为程序自身的退出码，未能全部检查时为 2。",
    "A file with lines kind:pattern; * stands for any text.":
        "每行为 kind:pattern 的文件；* 代表任意文字。",
    # trace
    "Run FILE as `run` does, and write a trace of its calls.":
        "像 `run` 一样运行 FILE，并写出其调用的跟踪记录。",
    "ui.perfetto.dev and chrome://tracing open it. The calls that took longest are printed to "
    "stderr.":
        "可用 ui.perfetto.dev 或 chrome://tracing 打开。耗时最长的调用打印到 stderr。",
    "File to write.": "跟踪记录写到何处。",
    "Print every call as it happens.": "逐条打印发生的调用。",
    "call": "调用",
    "calls": "次数",
    "µs a call": "µs/次",
    "start Python": "启动 Python",
    "check and plan": "检查与规划",
    "the trace is incomplete: there was no room for the record of all calls":
        "跟踪记录不完整：没有空间记录全部调用",
    "{} events in {}": "{1} 中有 {0} 个事件",
    # ops, show
    "List the operators: dtypes, shapes, products.": "列出算子：数据类型、shape、产品。",
    "With WORD, those whose name or summary contains it.": "给出 WORD 时，只列出名称或说明中含有它的算子。",
    "Only those of a family: activation, loss, math, …":
        "只列出某一类算子：activation、loss、math 等。",
    "Also list operators that are only declared: they link, and calls are refused.":
        "也列出仅声明的算子：可以链接，调用会被拒绝。",
    "{} has no kernel: it computes nothing": "{} 没有 kernel：它不进行任何运算",
    "{} is declared, so that programs link, and not computed yet; openaclnn ops --all tells the two "
    "apart":
        "{} 仅有声明，供程序链接，尚未实现；openaclnn ops --all 可区分两者",
    "Show everything about one operator, down to its kernel.": "显示某个算子的全部信息，直至 kernel。",
    "Show OPERATOR: signatures, formula, arguments, checks, products, kernel.":
        "显示 OPERATOR 的接口、公式、参数、检查、产品和 kernel。",
    "Both spellings work: silu_backward or aclnnSiluBackward.":
        "两种写法均可：silu_backward 或 aclnnSiluBackward。",
    "Print the generated kernel: LLVM IR for a CPU, Triton for CUDA.":
        "打印生成的 kernel：CPU 为 LLVM IR，CUDA 为 Triton。",
    "With --kernel cpu: this machine's instructions.": "配合 --kernel cpu：本机的指令。",
    "Dtype of all inputs, or of each; f32 by default.": "所有输入的类型，或逐个给出；默认为 f32。",
    "Dtype of the output; by default the promoted dtype.": "输出的类型；默认为推导出的类型。",
    # verify
    "Measure errors against the true values.": "测量与真值的误差。",
    "Without OPERATOR, the operators marked as examples are measured.":
        "测量 OPERATOR；不给时测量算子文件中标明默认测量的算子。",
    "The sample takes some ten seconds. --exhaustive proves the bounds: every value of one input "
    "in float32, every pair in 16 bits. docs/accuracy.md says how that covers all inputs. Integers "
    "and booleans must be equal.":
        "抽样约需十秒。--exhaustive 对误差上限作出证明：float32 遍历一个输入的所有值，16 位类型遍历两个输入"
        "的所有组合。docs/accuracy.md 说明为何这覆盖了全部输入。整数和布尔值应当相等。",
    "Columns: the largest error in ULP; the bound for any gradient that follows from the error of "
    "the slope; the promised bound, if any; shares of inputs with larger errors; zeros of the "
    "wrong sign; PyTorch's largest error and its share above 0.51; a digest of all result bits, "
    "equal on every device and for any number of threads.":
        "各列依次为：最大误差（ULP）；由斜率误差推出的任意梯度下的上限；承诺的上限（若有）；误差较大的输入所占"
        "比例；符号错误的零；PyTorch 的最大误差及其超过 0.51 的比例；全部结果比特的摘要，在任何设备和线程"
        "数下都相同。",
    "Exit status: 0 if all results are within the bounds, 1 if one is not, 2 if the command was "
    "used wrongly, 130 after Ctrl-C.":
        "退出码：0 表示在上限之内；1 表示有结果超出；2 表示命令用法有误；130 表示被 Ctrl-C 提前结束。",
    "All inputs instead of a sample: half an hour on two cores.":
        "遍历全部输入而不是抽样：两核约半小时。",
    "This dtype only; may be repeated.": "只测该数据类型，可以重复。",
    "This level only.": "只测该级别。",
    "Whose kernels to measure.": "测量哪种设备的 kernel。",
    "Number of processes; all cores by default.": "分担工作的进程数；默认用全部核。",
    "Also measure PyTorch if it is installed.": "若已安装 PyTorch，则一并测量。",
    "Plot the error over self.": "画出误差随 self 的变化。",
    "Save all figures as JSON, including those of --plot.": "以 JSON 保存全部数据，包括 --plot 的数据。",
    "Do part K of N; write verify-K-of-N.json, or what --save says.":
        "只做 N 份中的第 K 份，写入 verify-K-of-N.json 或 --save 指定的文件。",
    "Combine the files of all parts into one proof.": "由全部各份的文件得出整个证明。",
    "on one of eight machines": "在八台机器之一上",
    "Write every case of a file: each line is an operator and its options, with alternatives as "
    "f16|f32 in braces.":
        "写出文件中的全部用例：每行一个算子及其选项；花括号中的 f16|f32 表示多个。",
    "{} cases written to {}": "{} 个用例已写入 {}",
    "compare results with: openaclnn compare RESULTS {}": "比较结果：openaclnn compare RESULTS {}",
    "give an OPERATOR, or --suite FILE": "请给出 OPERATOR 或 --suite FILE",
    # what compare prints
    "{} {} against golden in {}: {}": "{} {}，golden 为 {}：{}",
    "{} of {} elements equal": "{1} 个元素中 {0} 个相等",
    "{} {} against golden in {}: {} of {} elements correctly rounded":
        "{0} {1}，golden 为 {2}：{4} 个元素中 {3} 个正确舍入",
    "{} {} against golden in {}: {} of {} elements correctly rounded, {} NaN or infinite on both sides":
        "{0} {1}，golden 为 {2}：{4} 个元素中 {3} 个正确舍入，{5} 个两侧同为 NaN 或无穷",
    "largest errors {} and {} ULP, mean {}, RMSE {}, cosine similarity {}":
        "最大误差 {} 和 {} ULP，平均 {}，RMSE {}，余弦相似度 {}",
    "(pass)": "（通过）",
    "(fail)": "（不通过）",
    "{} of {} elements equal, {} NaN or infinite on both sides":
        "{1} 个元素中 {0} 个相等，{2} 个两侧同为 NaN 或无穷",
    "{}, {} NaN or infinite on one side only: no standard passes":
        "{}，{} 个仅一侧为 NaN 或无穷：任何标准都不通过",
    "no elements, nothing to fail": "没有元素，视为通过",
    "verdict": "结论",
    "standard": "标准",
    "figures": "数据",
    "pass": "通过",
    "FAIL": "不通过",
    "index": "下标",
    "actual": "结果",
    "abs error": "绝对误差",
    "rel error": "相对误差",
    "elements within tolerance {}": "容差之内的元素 {}",
    "{} elements off by more than {} and 32 ULP (largest error {})":
        "误差超过 {1} 且超过 32 ULP 的元素：{0} 个（最大误差 {2}）",
    "mean relative error {}": "平均相对误差 {}",
    "largest relative error {}": "最大相对误差 {}",
    "elements off by more than {}: {}": "误差超过 {} 的元素：{}",
    "{} elements off by more than {}": "误差超过 {1} 的元素：{0} 个",
    "{} elements with {} off by more than {}": "{1} 且误差超过 {2} 的元素：{0} 个",
    "{} elements NaN or infinite on one side only": "仅一侧为 NaN 或无穷的元素：{} 个",
    "ratio of RMSE {}": "RMSE 之比 {}",
    "ratio of mean relative errors {}": "平均相对误差之比 {}",
    "ratio of largest relative errors {}": "最大相对误差之比 {}",
    "largest error in ULP {}": "最大误差（ULP）{}",
    "says nothing about {}": "未对 {} 作规定",
    "not counted: {}": "不计入：{}",
    "results within {} ULP of golden fail this too":
        "与 golden 相差 {} ULP 以内的结果也不通过",
    "{}: judge against golden rounded to the results' type, with --round-golden":
        "{}：请加上 --round-golden，以舍入到结果类型的 golden 评判",
    "passes {}": "通过：{}",
    "fails {} ({} of {})": "未通过：{0}（{2} 项中的 {1} 项）",
    "drawn: {}": "已画出：{}",
    # what call prints
    "min {}, max {}, mean {}, {} NaN, {} inf": "最小 {}，最大 {}，平均 {}，{} 个 NaN，{} 个无穷",
    # files
    "there is no file {}": "文件 {} 不存在",
    "there is no file or folder {}": "文件或目录 {} 不存在",
    "headers": "头文件",
    "{} cannot be read: {}": "无法读取 {}：{}",
    "{} cannot be written: {}": "无法写入 {}：{}",
    "No such file or directory": "文件或目录不存在",
    "Permission denied": "没有权限",
    "No space left on device": "磁盘空间不足",
    "{} is of an unknown kind; expected {}": "{} 的文件类型未知；应为 {}",
    "{} is raw bytes; say with --dtype what they are": "{} 是裸字节；请用 --dtype 说明其类型",
    "{} is raw bytes; expected .npy, .npz or .pt, which say their dtype and shape":
        "{} 是裸字节；应为自带类型和 shape 的 .npy、.npz 或 .pt 文件",
    "{} is a folder without {}; expected a golden case":
        "{} 是没有 {} 的目录；应为 openaclnn golden 写出的目录",
    "{} is not the manifest of a golden case": "{} 不是 openaclnn golden 写出的 manifest",
    "the shapes differ: {}": "shape 不同：{}",
    "{}, {} has shape {}": "{}，{} 的 shape 为 {}",
    "{} has shape {}": "{} 的 shape 为 {}",
    "drawing needs matplotlib, which is not installed: {}": "画图需要 matplotlib，但未安装：{}",
    "there is no compiler: none of {} is on the PATH; install one (on Debian and Ubuntu: apt "
    "install g++), or name yours in {}":
        "没有编译器：PATH 中找不到 {}；请安装（Debian 和 Ubuntu：apt install g++），或在 {} 中指明",
    "{} is no program: neither a source nor executable": "{} 不是程序：既不是源文件，也不可执行",
    # the user's own operators
    "{}: {} is no folder": "{}：{} 不是目录",
    "{}: {}; operators are code, so only what is yours alone is loaded (chown, chmod go-w)":
        "{}：{}；算子是会被执行的代码，只加载完全属于你的文件（chown、chmod go-w）",
    "{} can be written by others": "{} 可被他人写入",
    "{} belongs to user {}": "{} 属于用户 {}",
    "{}: {} exists already, in {}": "{}：{} 已存在，见 {}",
    "{}: expected an OP, or a tuple of them as OPS": "{}：应有 OP，或由多个算子组成的元组 OPS",
    # names that are none
    "there is no operator {}; did you mean {}?": "没有算子 {}，是否想用 {}？",
    "there is no operator {}; openaclnn ops lists them, and docs/your-own-operators.md says how to "
    "add one":
        "没有算子 {}；openaclnn ops 列出全部算子，自行添加见 docs/your-own-operators.md",
    "there is no such operator; the families are {}": "没有这样的算子；算子族有 {}",
    "openaclnn: {}: openaclnn does not have {}; an operator can be stated in a file of your own: "
    "docs/your-own-operators.md":
        "openaclnn：{}：openaclnn 没有 {}；可以自己写算子文件：docs/your-own-operators.md",
    "Print a key for a cache of compiled code; builds nothing.":
        "打印编译缓存的键；不构建任何内容。",
    "Print the variables of set_env.sh as NAME=VALUE lines.":
        "以 NAME=VALUE 的形式打印 set_env.sh 的变量。",
    "--key and --env exclude each other": "--key 与 --env 不能同时使用",
    # one's own operators
    "Check the operators of PATHS, files or folders, and report every mistake.":
        "检查 PATHS（文件或目录）中的算子，列出所有错误。",
    "Loads every file, traces its formulas and rules, computes a call of every operator in each of "
    "its dtypes, and runs its example. Mistakes are reported with file and line; the exit status "
    "is then 1.":
        "加载每个文件，用符号运行其公式和规则，并让每个算子以其数据类型和示例计算一次。每行给出文件、"
        "行号和错误；有错误时退出状态为 1。",
    "there is no file of operators in {}": "{} 中没有算子文件",
    "files: {}, operators: {}, mistakes: {}": "{} 个文件，{} 个算子：{} 处错误",
    "Write a working file for your own operator NAME.":
        "为自己的算子 NAME 写出一个可以运行的文件。",
    "Change its arguments, rules and formula: docs/your-own-operators.md, docs/operator-words.md.":
        "然后修改其参数、规则和公式：docs/your-own-operators.md，docs/operator-words.md。",
    "Folder to write to; created if it does not exist.": "写到哪个目录；不存在时创建。",
    "{} is no name; expected words in lower case, as in hard_gate":
        "{} 不能作为名称；应为小写单词，例如 hard_gate",
    "{} exists already: openaclnn show {}": "{} 已存在：openaclnn show {}",
    "{} is there already": "{} 已存在",
    "written: {}": "已写出：{}",
    # coverage
    "List the functions of aclnn and the runtime that a program uses.":
        "说明程序使用了哪些 aclnn 和运行时函数，是否可用。",
    "PATHS are C, C++ and Python sources or folders of them, programs and libraries (ELF), wheels, "
    "or traces of `openaclnn trace`. The exit status is 1 if something is missing.":
        "PATHS 为 C、C++、Python 源文件或其目录，程序和库（ELF），wheel，或 `openaclnn trace` 写出的"
        "文件。有缺失时退出状态为 1。",
    "The chip that must have the operators.": "须支持这些算子的芯片。",
    "Also list what is computed.": "可用的也列出。",
    "operators of {}: {}": "{} 的算子：{}",
    "runtime functions: {}": "运行时函数：{}",
    "name": "名称",
    "state": "状态",
    "products": "产品",
    "first used in": "首次使用处",
    "computed": "可计算",
    "available": "可用",
    "other product": "其他产品",
    "declared": "仅声明",
    "absent": "没有",
    "by name": "按名查找",
    "other product: --soc names a chip that has it.": "其他产品：用 --soc 选择支持它的芯片。",
    "declared: the program compiles and links; the call is refused with 561003.":
        "仅声明：程序可以编译和链接；调用返回 561003。",
    "absent: the program does not compile or link. An operator can be stated in a file of your "
    "own: docs/your-own-operators.md.":
        "没有：程序无法编译或链接。算子可以自己写成文件：docs/your-own-operators.md。",
    "by name: the program looks it up, and may do without.":
        "按名查找：程序在运行时查找，没有也可能继续。",
    "{} is no dtype; expected one of {}": "{} 不是数据类型；应为 {} 之一",
    "{} is no standard; expected {}": "{} 不是标准；应为 {}",
    "{} is no shape; expected {}": "{} 不是 shape；应为 {}",
    "{} is no product; expected one of {}": "{} 不是产品；应为 {} 之一",
    # refusals
    "{}: {} is null; expected {}": "{}：{} 为空指针；应为{}",
    "a tensor": "张量",
    "a scalar": "标量",
    "{}: {} has dtype {}; expected {}": "{}：{} 的数据类型为 {}；应为 {}",
    "{}: {} has shape {}; expected {}": "{}：{} 的 shape 为 {}；应为 {}",
    "{}, as {} has": "{}，与 {} 相同",
    "{}; {} accepts this call: choose it with {}": "{}；{} 接受该调用：请用 {} 选择",
    "{}; cast it: {}": "{}；请转换：{}",
    "{}: {} does not have this operator; {} do: choose one with {}":
        "{}：{} 不支持该算子；{} 支持：请用 {} 选择",
}  # fmt: skip

TEXTS = OF_CLICK | OURS
