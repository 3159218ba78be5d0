// Writes the files of a folder into another one, anew: what a program that
// makes them costs at the least. Prints the seconds that takes, which begin
// once all files are in memory.
//
//   write_files FROM TO THREADS
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

struct File {
  std::string path;
  std::string contents;
};

std::vector<File> read_all(const fs::path& from, const fs::path& to) {
  std::vector<File> files;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (entry.is_regular_file()) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files.push_back(
          {(to / fs::relative(entry.path(), from)).string(),
           std::string(std::istreambuf_iterator<char>(stream), {})});
    }
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
    return a.path < b.path;
  });
  return files;
}

void write_file(const File& file) {
  const int descriptor =
      ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const char* data = file.contents.data();
  std::size_t left = file.contents.size();
  while (descriptor >= 0 && left > 0) {
    const ssize_t count = ::write(descriptor, data, left);
    if (count <= 0) {
      break;
    }
    data += count;
    left -= static_cast<std::size_t>(count);
  }
  if (left > 0 || descriptor < 0 || ::close(descriptor) != 0) {
    std::perror(file.path.c_str());
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: write_files FROM TO THREADS\n", stderr);
    return 2;
  }
  const std::vector<File> files = read_all(argv[1], argv[2]);
  const auto begin = std::chrono::steady_clock::now();
  std::set<fs::path> folders;
  for (const File& file : files) {
    folders.insert(fs::path(file.path).parent_path());
  }
  for (const fs::path& folder : folders) {
    fs::create_directories(folder);
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) {
      write_file(files[i]);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < std::atoi(argv[3]); ++i) {
    threads.emplace_back(work);
  }
  work();
  for (std::thread& thread : threads) {
    thread.join();
  }
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  std::printf("%.6f\n", seconds.count());
  return 0;
}
