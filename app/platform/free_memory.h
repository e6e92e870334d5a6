#pragma once

namespace threadscape::app {

/// Makes all threads of this process allocate from one heap, so that return_free_memory() can give back what any of
/// them has freed. The C library of GNU would otherwise keep up to 64 MiB of free memory for each thread. To be called
/// before other threads are started. Does nothing with other C libraries.
void share_one_heap();

/// Gives the pages of freed blocks back to the system. It takes a few milliseconds, and memory that is allocated again
/// later has to be filled with zeros by the system; therefore it is meant for a program that waits for its user. Does
/// nothing with other C libraries than that of GNU.
void return_free_memory();

}  // namespace threadscape::app
