#include "worker/child/state_watch.h"

#include <utility>

#include "worker/child/mounted_catalog.h"

namespace ducat::worker::child {
namespace {

std::string Unreadable(const engine::EngineError& error) {
  return "the state of the engine cannot be read: " + error.type + ": " + error.message;
}

}  // namespace

StateWatch::StateWatch(engine::Connection& connection, const MountedCatalog& catalog)
    : connection_(connection),
      catalog_(catalog),
      expected_(connection.ReadState()),
      mounts_(catalog.mounts()) {}

std::string StateWatch::FindChange() {
  if (!expected_.has_value()) return Unreadable(expected_.error());
  auto now = connection_.ReadState();
  if (!now.has_value()) return Unreadable(now.error());
  if (now->settings != expected_->settings) {
    return "settings are '" + now->settings + "', not '" + expected_->settings + "'";
  }
  if (now->strangers != expected_->strangers) {
    return std::to_string(now->strangers) + " objects that nobody mounted";
  }
  if (now->views != catalog_.mounted_count()) {
    return std::to_string(now->views) + " views where the catalog has " +
           std::to_string(catalog_.mounted_count());
  }
  const bool remounted = std::exchange(mounts_, catalog_.mounts()) != catalog_.mounts();
  if (!remounted && now->view_ids != expected_->view_ids) return "a view was replaced";
  expected_->view_ids = std::move(now->view_ids);
  return {};
}

}  // namespace ducat::worker::child
