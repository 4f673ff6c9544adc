// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws a picture. An axis is not to scale: what is small stays visible, and
// what is far apart is drawn together with a gap between, so that one element
// beside 2^40 others can be seen.

#include "checker/report/Html.h"
#include "checker/report/Picture.h"

#include "llvm/Support/Format.h"

namespace girih::checker {

const char *const pictureDefinitions = R"html(
<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>
<pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse">
<path class="pad" d="M0 6L6 0"/></pattern>
<pattern id="blamed" width="8" height="8" patternUnits="userSpaceOnUse">
<rect class="a" width="8" height="8"/><path class="ah" d="M0 8L8 0"/></pattern>
<pattern id="other" width="8" height="8" patternUnits="userSpaceOnUse">
<rect class="b" width="8" height="8"/><path class="bh" d="M0 0L8 8"/></pattern>
<pattern id="written" width="8" height="8" patternUnits="userSpaceOnUse">
<rect class="w" width="8" height="8"/><path class="wh" d="M0 4H8"/></pattern>
</defs></svg>
)html";

const char *const pictureStyle = R"css(
figure { margin: .6em 0; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { font-size: .9em; color: var(--dim); margin-top: .3em; }
.legend { list-style: none; padding: 0; margin: .3em 0 0; font-size: .9em; }
.legend svg { display: inline-block; vertical-align: -2px; margin-right: .5em; }
svg text { font: 11px ui-monospace, monospace; fill: var(--dim); }
svg text.edge { fill: var(--ink); font-weight: bold; }
.pad { stroke: var(--dim); stroke-opacity: .55; fill: none; }
.a { fill: var(--a); fill-opacity: .25; }
.b { fill: var(--b); fill-opacity: .25; }
.w { fill: var(--ok); fill-opacity: .18; }
.ah { stroke: var(--a); fill: none; stroke-width: 1.2; }
.bh { stroke: var(--b); fill: none; stroke-width: 1.2; }
.wh { stroke: var(--ok); fill: none; stroke-opacity: .5; }
.inside { fill: var(--tensor); }
.edge-line { fill: none; stroke: var(--ink); stroke-width: 2.5; }
.grid { stroke: var(--dim); stroke-width: 1; stroke-dasharray: 3 3; }
.oa { fill: none; stroke: var(--a); stroke-width: 2; }
.ob { fill: none; stroke: var(--b); stroke-width: 2; }
.ow { fill: none; stroke: var(--ok); stroke-width: 1; }
.gap { fill: var(--box); fill-opacity: .8; }
.hit { fill: var(--fault); stroke: var(--page); stroke-width: 1.5; }
)css";

namespace {
/// One axis of the tensor on the page.
struct Scale {
  std::vector<int64_t> stops;
  std::vector<double> places; ///< parallel to stops
  int64_t extent = 0, tile = 1;

  double length() const { return places.back(); }
  int64_t tiles() const { return extent / tile + (extent % tile != 0 ? 1 : 0); }
  /// Places between stops are in proportion; those outside are at the ends.
  double at(int64_t x) const {
    auto it = std::upper_bound(stops.begin(), stops.end(), x);
    if (it == stops.begin()) {
      return 0;
    }
    if (it == stops.end()) {
      return length();
    }
    size_t i = it - stops.begin();
    double share = static_cast<double>(x - stops[i - 1]) /
                   static_cast<double>(stops[i] - stops[i - 1]);
    return places[i - 1] + share * (places[i] - places[i - 1]);
  }
  /// Whether the stretch behind stop i leaves tiles out.
  bool gap(size_t i) const { return stops[i + 1] - stops[i] > tile; }
};

struct Label {
  double at;
  std::string text;
  bool edge = false;
};
} // namespace

static int64_t floorTo(int64_t x, int64_t tile) {
  int64_t r = x % tile;
  return x - (r < 0 ? r + tile : r);
}

static Scale scaleOf(const Picture &p, unsigned axis) {
  Scale s;
  s.extent = p.extents[axis];
  s.tile = p.tile[axis];
  std::set<int64_t> points = {0, s.extent};
  for (const PictureTile &t : p.tiles) {
    if (t.role != PictureTile::Role::Written) {
      points.insert({t.low[axis], t.low[axis] + t.size[axis]});
    }
  }
  if (!p.element.empty()) {
    points.insert({p.element[axis], p.element[axis] + 1});
  }
  int64_t last =
      std::max(floorTo(s.extent + s.tile - 1, s.tile), *points.rbegin());
  int64_t first = *points.begin();
  std::set<int64_t> stops = points;
  for (int64_t x : points) {
    int64_t line = floorTo(x, s.tile);
    for (int64_t near : {line - s.tile, line, line + s.tile}) {
      if (near >= first && near <= last) {
        stops.insert(near);
      }
    }
  }
  s.stops.assign(stops.begin(), stops.end());
  double full = s.tile == 1 ? 28 : s.tile <= 4 ? 48 : 76, place = 0;
  s.places.push_back(0);
  for (size_t i = 0; i + 1 < s.stops.size(); ++i) {
    double part = static_cast<double>(s.stops[i + 1] - s.stops[i]) /
                  static_cast<double>(s.tile);
    place += s.gap(i) ? 44 : std::max(16.0, part * full);
    s.places.push_back(place);
  }
  return s;
}

/// A picture of one axis is drawn as a band.
static Scale band() {
  Scale s;
  s.stops = {0, 1};
  s.places = {0, 56};
  s.extent = 1;
  return s;
}

/// What is written beside an axis, most important first.
static std::vector<Label> labelsOf(const Picture &p, unsigned axis,
                                   const Scale &s) {
  std::vector<Label> out;
  auto add = [&](int64_t x) { out.push_back({s.at(x), std::to_string(x)}); };
  std::string name = p.extentNames[axis];
  out.push_back({s.at(s.extent),
                 (name.empty() ? "" : name + " = ") + std::to_string(s.extent),
                 true});
  for (const PictureTile &t : p.tiles) {
    if (t.role != PictureTile::Role::Written) {
      add(t.low[axis]);
    }
  }
  if (!p.element.empty()) {
    add(p.element[axis]);
  }
  for (int64_t x : s.stops) {
    add(x);
  }
  return out;
}

namespace {
/// Draws one picture; x grows along `columns`, y along `rows`.
class Drawing {
public:
  Drawing(const Picture &p)
      : p(p), flat(p.axes.size() == 1),
        rows(flat ? band() : scaleOf(p, p.axes.front())),
        columns(scaleOf(p, p.axes.back())), os(text) {}

  std::string draw();

private:
  const Picture &p;
  bool flat;
  Scale rows, columns;
  std::string text;
  llvm::raw_string_ostream os;
  static constexpr double left = 46, top = 24, right = 150, bottom = 24;

  void number(double v) { os << llvm::format("%.1f", v); }
  void rect(const char *attributes, double x0, double y0, double x1,
            double y1) {
    os << "<rect " << attributes << " x=\"";
    number(left + x0);
    os << "\" y=\"";
    number(top + y0);
    os << "\" width=\"";
    number(x1 - x0);
    os << "\" height=\"";
    number(y1 - y0);
    os << "\"/>\n";
  }
  void line(const char *style, double x0, double y0, double x1, double y1) {
    os << "<line class=\"" << style << "\" x1=\"";
    number(left + x0);
    os << "\" y1=\"";
    number(top + y0);
    os << "\" x2=\"";
    number(left + x1);
    os << "\" y2=\"";
    number(top + y1);
    os << "\"/>\n";
  }
  void write(const char *anchor, double x, double y, llvm::StringRef label,
             bool edge = false) {
    os << "<text text-anchor=\"" << anchor << "\"";
    if (edge) {
      os << " class=\"edge\"";
    }
    os << " x=\"";
    number(left + x);
    os << "\" y=\"";
    number(top + y);
    os << "\">" << escapeHtml(label) << "</text>\n";
  }
  void tileRect(const char *attributes, const PictureTile &t) {
    double y0 = 0, y1 = rows.length();
    if (!flat) {
      unsigned a = p.axes.front();
      y0 = rows.at(t.low[a]);
      y1 = rows.at(t.low[a] + t.size[a]);
    }
    unsigned a = p.axes.back();
    rect(attributes, columns.at(t.low[a]), y0, columns.at(t.low[a] + t.size[a]),
         y1);
  }

  void ground();
  void tiles(bool outlines);
  void lines();
  void element();
  void columnLabels();
  void rowLabels();
  void legend();
};
} // namespace

void Drawing::ground() {
  double x = columns.at(columns.tiles() * columns.tile),
         y = rows.at(rows.tiles() * rows.tile);
  rect("fill=\"url(#padding)\"", columns.at(0), rows.at(0), x, y);
  rect("class=\"inside\"", columns.at(0), rows.at(0),
       columns.at(columns.extent), rows.at(rows.extent));
}

void Drawing::tiles(bool outlines) {
  for (const PictureTile &t : p.tiles) {
    switch (t.role) {
    case PictureTile::Role::Blamed:
      tileRect(outlines ? "class=\"oa\"" : "fill=\"url(#blamed)\"", t);
      break;
    case PictureTile::Role::Other:
      tileRect(outlines ? "class=\"ob\"" : "fill=\"url(#other)\"", t);
      break;
    case PictureTile::Role::Written:
      tileRect(outlines ? "class=\"ow\"" : "fill=\"url(#written)\"", t);
      break;
    }
  }
}

void Drawing::lines() {
  double x0 = columns.at(0), y0 = rows.at(0),
         x1 = columns.at(columns.tiles() * columns.tile),
         y1 = rows.at(rows.tiles() * rows.tile);
  for (int64_t s : columns.stops) {
    if (s % columns.tile == 0 && s >= 0 &&
        s <= columns.tiles() * columns.tile) {
      line("grid", columns.at(s), y0, columns.at(s), y1);
    }
  }
  for (int64_t s : rows.stops) {
    if (s % rows.tile == 0 && s >= 0 && s <= rows.tiles() * rows.tile) {
      line("grid", x0, rows.at(s), x1, rows.at(s));
    }
  }
  for (size_t i = 0; i + 1 < columns.stops.size(); ++i) {
    if (columns.gap(i)) {
      rect("class=\"gap\"", columns.places[i] + 6, -2,
           columns.places[i + 1] - 6, rows.length() + 2);
    }
  }
  for (size_t i = 0; !flat && i + 1 < rows.stops.size(); ++i) {
    if (rows.gap(i)) {
      rect("class=\"gap\"", -2, rows.places[i] + 6, columns.length() + 2,
           rows.places[i + 1] - 6);
    }
  }
  rect("class=\"edge-line\"", x0, y0, columns.at(columns.extent),
       rows.at(rows.extent));
}

void Drawing::element() {
  if (p.element.empty()) {
    return;
  }
  int64_t x = p.element[p.axes.back()];
  double y0 = rows.length() / 2 - 8, y1 = y0 + 16;
  if (!flat) {
    int64_t y = p.element[p.axes.front()];
    y0 = rows.at(y);
    y1 = rows.at(y + 1);
  }
  rect("class=\"hit\"", columns.at(x) + 2, y0 + 2, columns.at(x + 1) - 2,
       y1 - 2);
}

void Drawing::columnLabels() {
  for (size_t i = 0; i + 1 < columns.stops.size(); ++i) {
    int64_t s = columns.stops[i];
    double from = columns.at(s), to = columns.at(s + columns.tile);
    std::string index = std::to_string(s / columns.tile);
    bool whole = llvm::is_contained(columns.stops, s + columns.tile);
    if (columns.gap(i)) {
      write("middle", (columns.places[i] + columns.places[i + 1]) / 2, -8,
            "\xe2\x8b\xaf");
    } else if (s % columns.tile == 0 && whole &&
               to - from > 6.8 * index.size()) {
      write("middle", (from + to) / 2, -8, index);
    }
  }
  std::vector<std::pair<double, double>> taken;
  for (const Label &l : labelsOf(p, p.axes.back(), columns)) {
    double half = 3.4 * l.text.size() + 3, from = l.at - half, to = l.at + half;
    if (llvm::none_of(
            taken, [&](auto &t) { return from < t.second && t.first < to; })) {
      taken.push_back({from, to});
      write("middle", l.at, rows.length() + 16, l.text, l.edge);
    }
  }
}

void Drawing::rowLabels() {
  if (flat) {
    return;
  }
  for (size_t i = 0; i + 1 < rows.stops.size(); ++i) {
    int64_t s = rows.stops[i];
    if (rows.gap(i)) {
      write("end", -8, (rows.places[i] + rows.places[i + 1]) / 2 + 4,
            "\xe2\x8b\xae");
    } else if (s % rows.tile == 0 &&
               llvm::is_contained(rows.stops, s + rows.tile)) {
      write("end", -8, (rows.at(s) + rows.at(s + rows.tile)) / 2 + 4,
            std::to_string(s / rows.tile));
    }
  }
  std::vector<double> taken;
  for (const Label &l : labelsOf(p, p.axes.front(), rows)) {
    if (llvm::none_of(taken,
                      [&](double t) { return std::abs(t - l.at) < 12; })) {
      taken.push_back(l.at);
      write("start", columns.length() + 8, l.at + 4, l.text, l.edge);
    }
  }
}

static void legendItem(llvm::raw_ostream &os, const char *fill,
                       const char *outline, llvm::StringRef label) {
  os << "<li><svg width=\"18\" height=\"14\" aria-hidden=\"true\"><rect "
     << fill << " width=\"18\" height=\"14\"/><rect class=\"" << outline
     << "\" x=\"1\" y=\"1\" width=\"16\" height=\"12\"/></svg>"
     << escapeHtml(label) << "</li>\n";
}

static std::string rangeText(const PictureTile &t) {
  std::string out;
  for (size_t i = 0; i < t.low.size(); ++i) {
    out += (i ? ", " : "") + std::to_string(t.low[i]);
    if (t.size[i] > 1) {
      out += ".." + std::to_string(t.low[i] + t.size[i] - 1);
    }
  }
  return "elements [" + out + "]";
}

void Drawing::legend() {
  os << "<ul class=\"legend\">\n";
  bool written = false;
  for (size_t i = 0; i < p.tiles.size(); ++i) {
    const PictureTile &t = p.tiles[i];
    if (t.role == PictureTile::Role::Written) {
      written = true;
      continue;
    }
    auto isPartOf = [&](size_t k) {
      return p.tiles[k].role == t.role && p.tiles[k].label == t.label;
    };
    if (i > 0 && isPartOf(i - 1)) {
      continue;
    }
    bool goesOn = i + 1 < p.tiles.size() && isPartOf(i + 1);
    bool other = t.role == PictureTile::Role::Other;
    legendItem(os, other ? "fill=\"url(#other)\"" : "fill=\"url(#blamed)\"",
               other ? "ob" : "oa",
               t.label + ": " + rangeText(t) + (goesOn ? " and more" : ""));
  }
  if (written) {
    legendItem(os, "fill=\"url(#written)\"", "ow",
               "tiles that some block writes");
  }
  if (!p.element.empty()) {
    legendItem(os, "class=\"hit\"", "hit",
               "element " + exec::tupleText(p.element) + ": " + p.elementLabel);
  }
  legendItem(os, "class=\"inside\"", "edge-line", "the tensor and its edge");
  legendItem(os, "fill=\"url(#padding)\"", "pad",
             "part of an edge tile behind the edge");
  os << "</ul>\n";
}

static std::string caption(const Picture &p) {
  std::string extents, tile, axes;
  for (size_t i = 0; i < p.extents.size(); ++i) {
    const char *times = i ? " x " : "";
    extents += times + std::to_string(p.extents[i]);
    tile += times + std::to_string(p.tile[i]);
  }
  auto nameOf = [&](unsigned axis) {
    return "axis " + std::to_string(axis) +
           (p.extentNames[axis].empty() ? ""
                                        : " (" + p.extentNames[axis] + ")");
  };
  axes = p.axes.size() == 1
             ? nameOf(p.axes[0])
             : nameOf(p.axes[0]) + " down, " + nameOf(p.axes[1]) + " across";
  for (unsigned i = 0; i < p.extents.size(); ++i) {
    if (!llvm::is_contained(p.axes, i) && !p.tiles.empty()) {
      axes += ", " + nameOf(i) + (p.throughView ? " at " : " at tile ") +
              std::to_string(p.tiles[0].low[i] / p.tile[i]);
    }
  }
  bool isOne = llvm::all_of(p.extents, [](int64_t n) { return n == 1; });
  return "%" + p.tensor + ": " + extents + (isOne ? " element" : " elements") +
         (p.throughView ? "" : " in tiles of " + tile) + "; " + axes +
         "; not to scale";
}

std::string Drawing::draw() {
  double width = left + columns.length() + right,
         height = top + rows.length() + bottom;
  os << "<figure>\n<svg role=\"img\" aria-label=\"" << escapeHtml(caption(p))
     << "\" width=\"" << llvm::format("%.0f", width) << "\" height=\""
     << llvm::format("%.0f", height) << "\" viewBox=\"0 0 "
     << llvm::format("%.0f %.0f", width, height) << "\">\n";
  ground();
  tiles(false);
  lines();
  tiles(true);
  element();
  columnLabels();
  rowLabels();
  os << "</svg>\n<figcaption>" << escapeHtml(caption(p)) << "</figcaption>\n";
  legend();
  os << "</figure>\n";
  return text;
}

std::string drawPicture(const Picture &p) { return Drawing(p).draw(); }

} // namespace girih::checker
