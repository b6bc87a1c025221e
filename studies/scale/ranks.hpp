// The programs of a job on several machines (MPI), of which each has its range of rows.
#pragma once

#include <cstdlib>
#ifdef SCALE_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace tutorial::scale {

/// This program's place among the ranks that mpirun has started: 0 of 1 if it has not.
class Ranks {
 public:
  int rank = 0, count = 1;             ///< of the whole job
  int on_host = 0, count_on_host = 1;  ///< of those on this machine

  void wait_for_all() const { largest(0.0); }

#ifdef SCALE_MPI
  /// Before `run_program`, which without this variable would start the program anew.
  Ranks() : started_(std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE")) {
    if (started_) {
      MPI_Comm here;
      setenv("OMP_WAIT_POLICY", "passive", 0);
      MPI_Init(nullptr, nullptr);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &count);
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
      MPI_Comm_rank(here, &on_host);
      MPI_Comm_size(here, &count_on_host);
    }
  }
  /// The largest of all ranks' values, once all have come here.
  double largest(double value) const {
    if (started_) {
      MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    return value;
  }
  /// The end of a rank that has done its part. One that ends without this ends the whole job.
  void leave() const {
    if (started_) {
      MPI_Finalize();
    }
  }

 private:
  bool started_;
#else
  double largest(double value) const {
    return value;
  }
  void leave() const {}
#endif
};

}  // namespace tutorial::scale
