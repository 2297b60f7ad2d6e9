// Attention over a cache as llama.cpp's backend calls it: keys and values are strided views, the mask is
// added with a head stride of 0, and all else is null. Results are compared with double arithmetic.
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "check.h"

static const int64_t kRows = 3, kHeads = 4, kGroups = 2, kWidth = 40, kRoom = 64;

static double Value(const std::vector<aclFloat16>& memory, int64_t place) {
  return aclFloat16ToFloat(memory[static_cast<size_t>(place)]);
}

static std::vector<aclFloat16> Numbers(size_t count, int seed) {
  std::vector<aclFloat16> found(count);
  for (size_t i = 0; i < count; ++i) {
    int drawn = static_cast<int>((i * 2654435761u + static_cast<unsigned>(seed) * 40503u) >> 7) % 257;
    found[i] = aclFloatToFloat16(static_cast<float>(drawn - 128) / 96.f);
  }
  return found;
}

static aclTensor* Tensor(std::vector<aclFloat16>* memory, std::vector<int64_t> shape,
                         std::vector<int64_t> strides) {
  int64_t room = static_cast<int64_t>(memory->size());
  return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT16, strides.data(), 0, ACL_FORMAT_ND, &room,
                         1, memory->data());
}

// One token batch beside so many keys; of one mask for all heads, or one for each (ALiBi).
static void Attend(aclrtStream stream, int64_t keys, bool alibi, int seed) {
  const int64_t row = kGroups * kWidth;  // the cache has a row of all heads for each key
  const int64_t masks = alibi ? kHeads : 1;
  std::vector<aclFloat16> q = Numbers(static_cast<size_t>(kRows * kHeads * kWidth), seed);
  std::vector<aclFloat16> k = Numbers(static_cast<size_t>(kRoom * row), seed + 1);
  std::vector<aclFloat16> v = Numbers(static_cast<size_t>(kRoom * row), seed + 2);
  std::vector<aclFloat16> pse = Numbers(static_cast<size_t>(masks * kRows * keys), seed + 3);
  for (int64_t t = keys / 2; t < keys; ++t) pse[static_cast<size_t>(t)] = aclFloatToFloat16(-INFINITY);
  std::vector<aclFloat16> out(q.size());

  aclTensor* query = Tensor(&q, {1, kRows, kHeads, kWidth}, {kRows * kHeads * kWidth, kHeads * kWidth, kWidth, 1});
  std::vector<int64_t> cache = {kRoom * row, row, kWidth, 1};
  aclTensor* key = Tensor(&k, {1, keys, kGroups, kWidth}, cache);
  aclTensor* value = Tensor(&v, {1, keys, kGroups, kWidth}, cache);
  aclTensor* mask = Tensor(&pse, {1, kHeads, kRows, keys},
                           {masks * kRows * keys, alibi ? kRows * keys : 0, keys, 1});
  aclTensor* result = Tensor(&out, {1, kRows, kHeads, kWidth}, {kRows * kHeads * kWidth, kHeads * kWidth, kWidth, 1});
  aclTensorList* key_list = aclCreateTensorList(&key, 1);
  aclTensorList* value_list = aclCreateTensorList(&value, 1);
  const double scale = 0.15811388300841897;
  char layout[] = "BSND";

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT(0, aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
                query, key_list, value_list, mask, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                nullptr, nullptr, nullptr, nullptr, kHeads, scale, 65535, 65535, layout, kGroups, 0, 2, 0,
                0, false, 0, 0, result, nullptr, &size, &executor));
  std::vector<char> workspace(size + 64);
  EXPECT(0, aclnnFusedInferAttentionScoreV2(workspace.data(), size, executor, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));

  bool right = true;
  for (int64_t s = 0; s < kRows; ++s) {
    for (int64_t n = 0; n < kHeads; ++n) {
      int64_t group = n / (kHeads / kGroups), at = (s * kHeads + n) * kWidth;
      std::vector<double> powers(static_cast<size_t>(keys));
      double largest = -INFINITY, total = 0;
      for (int64_t t = 0; t < keys; ++t) {
        double sum = 0;
        for (int64_t d = 0; d < kWidth; ++d) sum += Value(q, at + d) * Value(k, t * row + group * kWidth + d);
        double& score = powers[static_cast<size_t>(t)];
        score = sum * scale + Value(pse, ((alibi ? n : 0) * kRows + s) * keys + t);
        largest = score > largest ? score : largest;
      }
      // a row without a key is 0
      for (double& power : powers) total += power = std::isinf(largest) ? 0 : std::exp(power - largest);
      for (int64_t d = 0; d < kWidth; ++d) {
        double wanted = 0;
        for (int64_t t = 0; t < keys; ++t)
          wanted += powers[static_cast<size_t>(t)] / (total ? total : 1) * Value(v, t * row + group * kWidth + d);
        right = right && std::fabs(Value(out, at + d) - wanted) <= std::fabs(wanted) * 4.9e-4 + 1e-7;
      }
    }
  }
  Require(right, "a result of attention");
  EXPECT(0, aclDestroyTensorList(key_list));  // and the tensors in it
  EXPECT(0, aclDestroyTensorList(value_list));
  for (aclTensor* tensor : {query, mask, result}) EXPECT(0, aclDestroyTensor(tensor));
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  for (int seed = 0; seed < 6; ++seed)
    for (int64_t keys : {33, 64, 1}) Attend(stream, keys, seed % 2 == 1, seed);
  aclrtDestroyStream(stream);
  aclFinalize();
  std::printf("%s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
