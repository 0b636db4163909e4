#include "worker/child/engine/connection.h"
#include "worker/child/engine/engine_error.h"
#include "worker/child/engine/session.h"

namespace ducat::engine {

Rows::Rows(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;
Rows::~Rows() = default;

const std::vector<ResultColumn>& Rows::columns() const {
  return impl_->columns;
}
const std::vector<Type>& Rows::types() const {
  return impl_->types;
}

EngineResult<const Chunk*> Rows::Next() {
  Impl& rows = *impl_;
  rows.chunk_handle = ChunkHandle();
  do {
    rows.chunk_handle = ChunkHandle(duckdb_fetch_chunk(rows.result.get()));
    if (rows.chunk_handle.get() == nullptr) {
      const char* text = duckdb_result_error(&rows.result.get());
      if (text != nullptr && *text != '\0') return Failed(*rows.session, ParseEngineError(text));
      return nullptr;
    }
    rows.chunk.row_count_ = duckdb_data_chunk_get_size(rows.chunk_handle.get());
  } while (rows.chunk.row_count_ == 0);
  rows.chunk.handle_ = rows.chunk_handle.get();
  rows.chunk.column_count_ = rows.columns.size();
  return &rows.chunk;
}

}  // namespace ducat::engine
