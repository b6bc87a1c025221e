// The programs of a job on several machines (MPI), of which each has its range of rows.
#pragma once

#include <cstdlib>
#include <exception>
#ifdef SCALE_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace tutorial::scale {

/// This program's place among the ranks that mpirun has started: 0 of 1 if it has not.
class Ranks {
 public:
#ifdef SCALE_MPI
  Ranks() {
    for (const char* by_mpirun : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK"}) {
      started_ = started_ || std::getenv(by_mpirun) != nullptr;
    }
    if (started_) {
      MPI_Comm here;
      MPI_Init(nullptr, nullptr);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &count);
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
      MPI_Comm_rank(here, &on_host);
      MPI_Comm_size(here, &count_on_host);
    }
  }
  /// A rank that fails does not say goodbye: then mpirun ends the others, too.
  ~Ranks() {
    if (started_ && std::uncaught_exceptions() == 0) {
      MPI_Finalize();
    }
  }
  /// The largest of all ranks' values, once all have come here.
  double largest(double value) const {
    if (started_) {
      MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    return value;
  }
#else
  Ranks() = default;
  double largest(double value) const {
    return value;
  }
#endif
  Ranks(const Ranks&) = delete;
  void wait_for_all() const {
    largest(0.0);
  }

  int rank = 0, count = 1;             ///< of the whole job
  int on_host = 0, count_on_host = 1;  ///< of those on this machine

 private:
  bool started_ = false;
};

}  // namespace tutorial::scale
