// The program threadscape-model-reader, which reads a model by Assimp and writes it in the flat form of
// compute/io/meshes/model_scene.h to standard output. It is a process of its own because damaged models make Assimp
// write out of bounds: what that breaks is this process. Only the importers of the formats that
// compute/io/meshes/mesh_file.h names are used, and only the steps that do not multiply what is in the file.
//
// It is started by compute/io/meshes/mesh_model.cpp: threadscape-model-reader MODEL BYTES SECONDS inside|outside

#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/BaseImporter.h>
#include <assimp/DefaultIOSystem.h>
#include <unistd.h>

#include <assimp/Importer.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/io/meshes/model_scene.h"
#include "compute/io/outside.h"
#include "compute/model_reader/confine.h"
#include "compute/model_reader/scene_writer.h"

namespace Assimp {

/// Takes the place of Assimp's function, which ends the program. Assimp's builds with assertions, Debian's among them,
/// call it for damaged files. The exception ends the import, and its text becomes that of Importer::GetErrorString().
// NOLINTNEXTLINE(readability-identifier-naming): Assimp calls the function by this name.
[[noreturn]] __attribute__((visibility("default"))) void aiAssertViolation(const char* expression, const char* file,
                                                                           int line);
void aiAssertViolation(const char* expression, const char* file, int line) {
  const std::string name = std::filesystem::path(file).filename().string();
  throw std::runtime_error("the model is damaged, since Assimp expected " + std::string(expression) + " (" + name +
                           ":" + std::to_string(line) + ")");
}

}  // namespace Assimp

namespace threadscape::model_reader {

namespace fs = std::filesystem;

namespace {

/// Removes the importers of all other formats, because Assimp chooses an importer by the content where the extension
/// is of no help.
void keep_importers(Assimp::Importer& importer) {
  std::vector<Assimp::BaseImporter*> others;
  for (std::size_t i = 0; i < importer.GetImporterCount(); ++i) {
    // The extensions of an importer are words, for example "gltf glb".
    const std::string words = " " + std::string(importer.GetImporterInfo(i)->mFileExtensions) + " ";
    const auto reads = [&](const char* extension) {
      return words.find(std::string(" ") + extension + " ") != std::string::npos;
    };
    if (!reads("obj") && !reads("ply") && !reads("stl") && !reads("gltf")) others.push_back(importer.GetImporter(i));
  }
  for (Assimp::BaseImporter* other : others) {
    importer.UnregisterLoader(other);
    const std::unique_ptr<Assimp::BaseImporter> freed(other);  // The library no longer owns it.
  }
}

/// Opens for Assimp the model itself and, of the files that the model names, regular files in its folder and below;
/// with `allow_outside`, regular files everywhere. Assimp opens by fopen(), which waits without end for the writer of a
/// pipe.
class ModelFiles final : public Assimp::DefaultIOSystem {
 public:
  /// The first file that is refused sets `refusal`, which outlives the object, to the end of a message. The importers
  /// of some formats continue without a file that is refused.
  ModelFiles(fs::path model, bool allow_outside, std::string& refusal)
      : model_(std::move(model)), allow_outside_(allow_outside), refusal_(refusal) {}

  bool Exists(const char* file) const override { return !refuses(file) && DefaultIOSystem::Exists(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return refuses(file) ? nullptr : DefaultIOSystem::Open(file, mode);
  }

 private:
  [[nodiscard]] bool refuses(const fs::path& file) const {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    // The caller has chosen the model, which may be a symbolic link to a file of another folder.
    if (!fs::exists(status) || fs::equivalent(file, model_, error)) return false;
    std::string why;
    if (!fs::is_regular_file(status))
      why = "which is no regular file";
    else if (!allow_outside_ && !io::is_inside(io::folder_of(model_), file))
      why = "which is outside of its folder: start the program with --allow-outside if this file may be read";
    if (!why.empty() && refusal_.empty()) refusal_ = "it names '" + file.string() + "', " + why;
    return !why.empty();
  }

  fs::path model_;
  bool allow_outside_;
  std::string& refusal_;
};

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size())
    throw std::runtime_error("'" + std::string(text) + "' is no number");
  return value;
}

/// Writes the scene of a model, or the message why there is none.
void read(const fs::path& path, bool allow_outside, std::uint64_t memory, const Confinement& confinement) {
  const std::string no_memory =
      "reading it needs more memory than the " + std::to_string(memory) + " bytes that are free";
  try {
    std::string refusal;
    Assimp::Importer importer;
    // The importer owns the object that opens files, and deletes it.
    importer.SetIOHandler(new ModelFiles(path, allow_outside, refusal));
    keep_importers(importer);
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_ANIMATIONS | aiComponent_BONEWEIGHTS |
                                                            aiComponent_CAMERAS | aiComponent_LIGHTS |
                                                            aiComponent_TANGENTS_AND_BITANGENTS);
    importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const aiScene* const scene =
        importer.ReadFile(path.string(), aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType |
                                             aiProcess_JoinIdenticalVertices | aiProcess_ValidateDataStructure);
    const std::string error = importer.GetErrorString();
    if (!refusal.empty())
      write_message(refusal);
    else if (scene != nullptr && scene->mRootNode != nullptr)
      write_scene(*scene, confinement.files || confinement.calls ? 0 : io::scene_is_unconfined);
    else
      write_message(error.find("bad_alloc") != std::string::npos ? no_memory : error);
    // Freeing the scene would take time, and gives a damaged heap another chance to fail.
    _exit(0);
  } catch (const std::bad_alloc&) {
    write_message(no_memory);
  } catch (const std::exception& failure) {
    write_message(failure.what());
  }
}

}  // namespace

}  // namespace threadscape::model_reader

int main(int argc, char** argv) {
  namespace reader = threadscape::model_reader;
  const std::vector<std::string_view> words(argv, argv + argc);
  if (words.size() != 5 || (words[4] != "inside" && words[4] != "outside")) {
    (void)std::fputs("threadscape-model-reader is a part of Threadscape, which starts it to read models.\n", stderr);
    return 2;
  }
  try {
    const bool allow_outside = words[4] == "outside";
    const std::uint64_t memory = reader::number(words[2]);
    const reader::Confinement confinement = reader::confine(words[1], allow_outside, memory, reader::number(words[3]));
    reader::read(words[1], allow_outside, memory, confinement);
  } catch (const std::exception& failure) {
    (void)std::fprintf(stderr, "threadscape-model-reader: %s\n", failure.what());
    return 3;
  }
  _exit(0);
}
