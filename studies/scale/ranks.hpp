// The programs of a job on several machines (MPI), of which each has its range of rows.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>
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

  /// Where the rows of a rank begin. Should there be more ranks than rows, the first one has a row.
  std::int64_t begin(std::int64_t rows, int of) const { return (rows * of + count - 1) / count; }
  void wait_for_all() const { largest(0.0); }
  /// Of the things of this machine those that are this rank's, at least one.
  template <typename Thing>
  std::vector<Thing> share(const std::vector<Thing>& all) const {
    std::vector<Thing> mine;
    for (int i = on_host % int(all.size()); i < int(all.size()); i += count_on_host) {
      mine.push_back(all[i]);
    }
    return mine;
  }

#ifdef SCALE_MPI
  /// But for the first rank, it returns when that one has called `wait_for_all`: so it alone says
  /// what is wrong for all. To be made before `run_program`, which would start the program anew.
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
      if (rank > 0) {
        wait_for_all();
      }
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
