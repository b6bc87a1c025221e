# Which kernels a step's chart shows. The script sets `added`, those that the step is about; those that they grew from are
# drawn in grey, or those in `rest`, if the script sets it. Sets `shown`, the ones that were measured, what the step adds
# last, so that it is drawn over the rest.
measured = minus(kernels_in(data), "Convolve")
if (!exists("rest")) { rest = parents_of(common(added, measured)) }
shown = joined(common(minus(rest, added), measured), common(added, measured))
