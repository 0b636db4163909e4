#pragma once
// ValueStyle: the few places in which packs print values differently (analyst.md 7, canvas.md 8).
// All else about values is the same everywhere.

namespace ducat::rows {

struct ValueStyle {
  bool iso_times = true;               // "2024-01-01T00:00:00+00:00", else "2024-01-01 00:00:00+00"
  bool wide_integers_as_text = false;  // 64 bits and more: always a string of digits
  bool decimals_as_text = false;       // always a string with all decimals
};

inline constexpr ValueStyle kAnalystStyle{};
inline constexpr ValueStyle kCanvasStyle{.iso_times = false};
inline constexpr ValueStyle kFilingsStyle{
    .iso_times = false, .wide_integers_as_text = true, .decimals_as_text = true};

}  // namespace ducat::rows
