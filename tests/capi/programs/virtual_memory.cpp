// Reserved addresses and physical memory: what is refused, tensors across mappings, and a random
// program that is followed byte by byte. Argument: the seed.
#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include "check.h"

static size_t granularity = 0;

static aclrtPhysicalMemProp Property() {
  aclrtPhysicalMemProp prop = {};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  return prop;
}

static void Misuse() {
  aclrtPhysicalMemProp prop = Property(), shared = prop, far = prop;
  shared.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  far.location.id = 77;
  EXPECT(0, aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  EXPECT(0, aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                             &granularity));
  EXPECT(100000, aclrtMemGetAllocationGranularity(nullptr, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
                                                  &granularity), "prop is null");
  EXPECT(107000, aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF,
                                                  &granularity), "option");
  EXPECT(207000, aclrtMemGetAllocationGranularity(&shared, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
                                                  &granularity), "location.type 0");
  EXPECT(107001, aclrtMemGetAllocationGranularity(&far, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
                                                  &granularity), "no device 77");
  Require(granularity >= 4096 && (granularity & (granularity - 1)) == 0, "a granularity");

  void* place = nullptr;
  aclrtDrvMemHandle memory = nullptr;
  EXPECT(100000, aclrtReserveMemAddress(nullptr, granularity, 0, nullptr, 1), "virPtr is null");
  EXPECT(100000, aclrtReserveMemAddress(&place, 0, 0, nullptr, 1), "size is 0");
  EXPECT(107000, aclrtReserveMemAddress(&place, granularity, 3, nullptr, 1), "power of two");
  EXPECT(107000, aclrtReserveMemAddress(&place, granularity, 0, nullptr, 2), "flags is 2");
  EXPECT(207001, aclrtReserveMemAddress(&place, SIZE_MAX - 5, 0, nullptr, 0), "addresses");
  EXPECT(0, aclrtReserveMemAddress(&place, 3 * granularity + 1, 0, nullptr, 1));  // rounded up
  EXPECT(107000, aclrtMallocPhysical(&memory, granularity + 1, &prop, 0), "multiple");
  EXPECT(107000, aclrtMallocPhysical(&memory, 0, &prop, 0), "multiple");
  EXPECT(107000, aclrtMallocPhysical(&memory, granularity, &prop, 1), "flags is 1");
  EXPECT(100000, aclrtMallocPhysical(&memory, granularity, nullptr, 0), "prop is null");
  EXPECT(207001, aclrtMallocPhysical(&memory, size_t(1) << 50, &prop, 0), "no memory");
  EXPECT(0, aclrtMallocPhysical(&memory, 2 * granularity, &prop, 0));

  char* base = static_cast<char*>(place);
  EXPECT(107000, aclrtMapMem(base, granularity / 2, 0, memory, 0), "multiple");
  EXPECT(107000, aclrtMapMem(base, granularity, granularity / 2, memory, 0), "multiple");
  EXPECT(107000, aclrtMapMem(base + 8, granularity, 0, memory, 0), "multiple");
  EXPECT(107000, aclrtMapMem(base, 3 * granularity, 0, memory, 0), "beyond the memory of handle");
  EXPECT(107000, aclrtMapMem(base + 4 * granularity, granularity, 0, memory, 0), "not reserved");
  EXPECT(107000, aclrtMapMem(base + 3 * granularity, 2 * granularity, 0, memory, 0), "beyond");
  EXPECT(107017, aclrtMapMem(base, granularity, 0, &memory, 0), "is no aclrtDrvMemHandle");
  EXPECT(100000, aclrtMapMem(nullptr, granularity, 0, memory, 0), "null");
  EXPECT(107000, aclrtUnmapMem(base), "nothing is mapped");
  EXPECT(0, aclrtMapMem(base + granularity, granularity, 0, memory, 0));
  EXPECT(107000, aclrtMapMem(base + granularity, granularity, 0, memory, 0), "mapped already");
  EXPECT(107000, aclrtMapMem(base, 2 * granularity, 0, memory, 0), "into what is mapped");
  EXPECT(107000, aclrtReleaseMemAddress(base), "aclrtUnmapMem");
  EXPECT(107000, aclrtReleaseMemAddress(base + granularity), "no beginning");
  EXPECT(107000, aclrtFree(base + granularity), "aclrtUnmapMem");
  EXPECT(0, aclrtMemset(base + granularity, granularity, 1, granularity));
  EXPECT(107000, aclrtMemset(base + granularity, 2 * granularity, 1, granularity + 1), "beyond");
  EXPECT(0, aclrtUnmapMem(base + granularity));
  EXPECT(107000, aclrtUnmapMem(base + granularity), "nothing is mapped");
  EXPECT(100000, aclrtUnmapMem(nullptr), "null");
  std::vector<char> mine(8);
  EXPECT(107000, aclrtMemcpy(base + granularity, 8, mine.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
         "nothing is mapped there (aclrtMapMem), or it was unmapped");
  EXPECT(0, aclrtFreePhysical(memory));
  EXPECT(107017, aclrtFreePhysical(memory), "destroyed");
  EXPECT(100000, aclrtFreePhysical(nullptr), "null");
  EXPECT(0, aclrtReleaseMemAddress(base));
  EXPECT(107000, aclrtReleaseMemAddress(base), "no beginning");
  EXPECT(100000, aclrtReleaseMemAddress(nullptr), "null");
}

// A tensor across two mappings is whole; without one of them it is refused, in either phase.
static void AcrossMappings() {
  aclrtPhysicalMemProp prop = Property();
  void* place = nullptr;
  aclrtDrvMemHandle memory[2] = {};
  EXPECT(0, aclrtReserveMemAddress(&place, 4 * granularity, 0, nullptr, 1));
  char* base = static_cast<char*>(place);
  for (int i = 0; i < 2; ++i) {
    EXPECT(0, aclrtMallocPhysical(&memory[i], granularity, &prop, 0));
    EXPECT(0, aclrtMapMem(base + i * granularity, granularity, 0, memory[i], 0));
  }
  const int64_t n = granularity / 2 / sizeof(float);
  char* across = base + granularity - n * sizeof(float) / 2;
  aclTensor* x = Make({n}, across);
  aclTensor* beyond = Make({n}, base + 2 * granularity - 64);
  aclTensor* nowhere = Make({n}, base + 3 * granularity);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  std::vector<float> ones(n, 1), out(n);
  EXPECT(0, aclrtMemcpy(across, n * 4, ones.data(), n * 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, executor, nullptr));
  EXPECT(0, aclrtSynchronizeStream(nullptr));
  EXPECT(0, aclrtMemcpy(out.data(), n * 4, across, n * 4, ACL_MEMCPY_DEVICE_TO_HOST));
  Require(std::all_of(out.begin(), out.end(), [](float v) { return std::fabs(v - 0.927671f) < 1e-6; }),
          "computed across mappings");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(beyond, x, x, &size, &executor), "allocated");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(x, nowhere, x, &size, &executor),
         "in memory that is not mapped, or not all of it (aclrtMapMem, aclrtUnmapMem)");
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor));
  EXPECT(0, aclrtUnmapMem(base + granularity));  // the second half of x
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, executor, nullptr), "aclrtUnmapMem");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor), "allocated");
  EXPECT(0, aclrtMapMem(base + granularity, granularity, 0, memory[1], 0));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor));  // whole again
  EXPECT(0, aclnnSiluBackward(nullptr, 0, executor, nullptr));
  EXPECT(0, aclrtSynchronizeStream(nullptr));
  for (aclTensor* tensor : {x, beyond, nowhere}) aclDestroyTensor(tensor);
  for (int i = 0; i < 2; ++i) {
    EXPECT(0, aclrtFreePhysical(memory[i]));  // it stays where it is mapped
    EXPECT(0, aclrtMemset(base + i * granularity, granularity, i, granularity));
    EXPECT(0, aclrtUnmapMem(base + i * granularity));
  }
  EXPECT(0, aclrtReleaseMemAddress(base));
}

// Physical memory has a pattern of its own, which is found wherever a part of it is mapped.
struct Physical {
  aclrtDrvMemHandle handle;
  std::vector<unsigned char> stamps;  // one for each granule
  bool freed;
};
struct Mapping {
  Physical* memory;
  size_t first, count;  // granules
};
struct Reservation {
  char* base;
  size_t granules;
  std::map<size_t, Mapping> mappings;  // by their first granule here
};

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  void Run(int steps) {
    for (int step = 0; step < steps && !failures; ++step) {
      switch (Pick(8)) {
        case 0: Reserve(); break;
        case 1: Allocate(); break;
        case 2: case 3: Map(); break;
        case 4: Unmap(); break;
        case 5: Free(); break;
        case 6: Write(); break;
        case 7: Check(); break;
      }
    }
    for (Reservation& r : reservations_) {
      while (!r.mappings.empty()) UnmapOne(r, r.mappings.begin());
      EXPECT(0, aclrtReleaseMemAddress(r.base));
    }
    for (auto& memory : memories_)
      if (!memory->freed) EXPECT(0, aclrtFreePhysical(memory->handle));
  }

 private:
  size_t Pick(size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random_); }

  void Reserve() {
    if (reservations_.size() == 3) return;
    Reservation made = {nullptr, 1 + Pick(6), {}};
    void* base = nullptr;
    EXPECT(0, aclrtReserveMemAddress(&base, made.granules * granularity, 0, nullptr, 1));
    made.base = static_cast<char*>(base);
    reservations_.push_back(made);
  }

  void Allocate() {
    aclrtPhysicalMemProp prop = Property();
    std::unique_ptr<Physical> made(new Physical{nullptr, std::vector<unsigned char>(1 + Pick(2)), false});
    EXPECT(0, aclrtMallocPhysical(&made->handle, made->stamps.size() * granularity, &prop, 0));
    memories_.push_back(std::move(made));
    fresh_ = memories_.back().get();
  }

  void Map() {
    if (reservations_.empty() || memories_.empty()) return;
    Reservation& r = reservations_[Pick(reservations_.size())];
    Physical* memory = memories_[Pick(memories_.size())].get();
    size_t first = Pick(memory->stamps.size());
    size_t count = 1 + Pick(memory->stamps.size() - first), at = Pick(r.granules);
    bool fits = at + count <= r.granules;
    for (const auto& m : r.mappings) fits &= m.first + m.second.count <= at || at + count <= m.first;
    int wanted = memory->freed ? 107017 : fits ? 0 : 107000;
    int got = aclrtMapMem(r.base + at * granularity, count * granularity, first * granularity,
                          memory->handle, 0);
    Expect("map", got, wanted);
    if (got) return;
    r.mappings[at] = {memory, first, count};
    if (memory == fresh_) {  // nobody has written there yet
      fresh_ = nullptr;
      for (size_t i = 0; i < count; ++i) Stamp(r, at, i);
      for (size_t i = 0; i < memory->stamps.size(); ++i)
        if (i < first || i >= first + count) memory->stamps[i] = 0;  // the system's pages are 0
    }
  }

  void Stamp(Reservation& r, size_t at, size_t i) {
    const Mapping& m = r.mappings[at];
    unsigned char stamp = 1 + Pick(255);
    m.memory->stamps[m.first + i] = stamp;
    EXPECT(0, aclrtMemset(r.base + (at + i) * granularity, granularity, stamp, granularity));
  }

  void UnmapOne(Reservation& r, std::map<size_t, Mapping>::iterator which) {
    EXPECT(0, aclrtUnmapMem(r.base + which->first * granularity));
    r.mappings.erase(which);
  }

  void Unmap() {
    if (reservations_.empty()) return;
    Reservation& r = reservations_[Pick(reservations_.size())];
    size_t at = Pick(r.granules);
    auto which = r.mappings.find(at);
    if (which != r.mappings.end()) return UnmapOne(r, which);
    EXPECT(107000, aclrtUnmapMem(r.base + at * granularity), "nothing is mapped");
  }

  void Free() {
    if (memories_.empty()) return;
    Physical* memory = memories_[Pick(memories_.size())].get();
    Expect("free", aclrtFreePhysical(memory->handle), memory->freed ? 107017 : 0);
    memory->freed = true;
  }

  void Write() {
    if (reservations_.empty()) return;
    Reservation& r = reservations_[Pick(reservations_.size())];
    if (r.mappings.empty()) return;
    auto which = std::next(r.mappings.begin(), Pick(r.mappings.size()));
    Stamp(r, which->first, Pick(which->second.count));
  }

  void Check() {
    std::vector<unsigned char> found(granularity);
    for (Reservation& r : reservations_)
      for (const auto& m : r.mappings)
        for (size_t i = 0; i < m.second.count; ++i) {
          EXPECT(0, aclrtMemcpy(found.data(), granularity, r.base + (m.first + i) * granularity,
                                granularity, ACL_MEMCPY_DEVICE_TO_HOST));
          unsigned char stamp = m.second.memory->stamps[m.second.first + i];
          Require(std::count(found.begin(), found.end(), stamp) == std::ptrdiff_t(granularity),
                  "the bytes of physical memory");
        }
  }

  std::mt19937 random_;
  std::vector<Reservation> reservations_;
  std::vector<std::unique_ptr<Physical>> memories_;
  Physical* fresh_ = nullptr;
};

// A stack that grows by mapping more memory at its end.
static void Pool(unsigned seed) {
  std::mt19937 random(seed);
  aclrtPhysicalMemProp prop = Property();
  void* place = nullptr;
  std::vector<aclrtDrvMemHandle> handles;
  std::vector<size_t> sizes, taken;
  size_t mapped = 0, used = 0, most = 16 * granularity;
  EXPECT(0, aclrtReserveMemAddress(&place, most, 0, nullptr, 1));
  char* base = static_cast<char*>(place);
  for (int step = 0; step < 300 && !failures; ++step) {
    size_t size = 128 * (1 + random() % (granularity / 64));
    if (random() % 2 && used + size <= most) {
      if (used + size > mapped) {
        size_t more = (used + size - mapped + granularity - 1) / granularity * granularity;
        handles.push_back(nullptr);
        sizes.push_back(more);
        EXPECT(0, aclrtMallocPhysical(&handles.back(), more, &prop, 0));
        EXPECT(0, aclrtMapMem(base + mapped, more, 0, handles.back(), 0));
        mapped += more;
      }
      EXPECT(0, aclrtMemset(base + used, size, int(taken.size()), size));
      taken.push_back(size);
      used += size;
    } else if (!taken.empty()) {
      used -= taken.back();
      std::vector<unsigned char> found(taken.back());
      taken.pop_back();
      EXPECT(0, aclrtMemcpy(found.data(), found.size(), base + used, found.size(),
                            ACL_MEMCPY_DEVICE_TO_HOST));
      Require(std::count(found.begin(), found.end(), (unsigned char)taken.size()) ==
                  std::ptrdiff_t(found.size()), "what was taken last is as it was left");
    }
  }
  size_t at = 0;
  for (size_t size : sizes) {
    EXPECT(0, aclrtUnmapMem(base + at));
    at += size;
  }
  for (aclrtDrvMemHandle handle : handles) EXPECT(0, aclrtFreePhysical(handle));
  EXPECT(0, aclrtReleaseMemAddress(base));
}

int main(int argc, char** argv) {
  unsigned seed = argc > 1 ? std::atoi(argv[1]) : 1;
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  Misuse();
  AcrossMappings();
  RandomProgram(seed).Run(400);
  Pool(seed);
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("virtual memory: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
