// The pictures that a run of rasterize consists of.

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/registry/diagram.h"

namespace threadscape {

using rasterize::Output;

namespace {

Rasterize::Params drawn_alone(const Rasterize::Params& params, PipelinePicture picture) {
  Rasterize::Params changed = params;
  changed.output = picture == PipelinePicture::depth      ? Output::depth
                   : picture == PipelinePicture::overdraw ? Output::overdraw
                                                          : Output::picture;
  if (picture < PipelinePicture::emission) return changed;
  changed.emission = picture == PipelinePicture::emission;
  changed.ambient = picture == PipelinePicture::ambient;
  changed.diffuse = picture == PipelinePicture::diffuse;
  changed.specular = picture == PipelinePicture::specular;
  if (picture != PipelinePicture::refraction) changed.refraction = 0.0f;
  if (picture != PipelinePicture::reflection) changed.reflection = 0.0f;
  return changed;
}

}  // namespace

std::vector<std::pair<std::string, Rasterize::Params>> Rasterize::intermediates(const Params& params) {
  if (params.output != Output::picture) return {};
  std::vector<std::pair<std::string, Params>> pictures{{"edges", params}};
  pictures.back().second.wireframe = true;
  const auto add = [&](const char* title, PipelinePicture picture, bool has = true) {
    if (has) pictures.emplace_back(title, drawn_alone(params, picture));
  };
  add("overdraw", PipelinePicture::overdraw);
  add("depth", PipelinePicture::depth);
  add("emission", PipelinePicture::emission, params.emission);
  add("ambient light", PipelinePicture::ambient, params.ambient);
  add("diffuse light", PipelinePicture::diffuse, params.diffuse);
  add("highlights", PipelinePicture::specular, params.specular);
  add("refraction", PipelinePicture::refraction, params.surrounded() && params.refraction > 0.0f);
  add("reflection", PipelinePicture::reflection, params.surrounded() && params.reflection > 0.0f);
  add("picture", PipelinePicture::all);
  return pictures;
}

DiagramInfo describe_rasterize_diagram() {
  DiagramInfo info;
  info.pipeline = PipelineFacet{.picture = [](const ParamBox& params, PipelinePicture picture) {
    return ParamBox::of(drawn_alone(params.as<Rasterize::Params>(), picture));
  }};
  return info;
}

}  // namespace threadscape
