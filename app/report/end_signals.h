#pragma once
// The signals that end the program from outside. No temporary file is left.

namespace threadscape::app {

/// Removes the temporary files of this process, says that SIGHUP or SIGTERM has come, and ends the process by the
/// signal. Nobody has to be told of Ctrl-C. A handler for signals.
void end_by_signal(int signal);

/// Makes end_by_signal() the handler of SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP. A pipe without a
/// reader (SIGPIPE) and a file beyond the limit of its size (SIGXFSZ) end no process any more: the call that writes
/// fails, as it does on a full disk. Programs that this one starts have the usual actions. To be called once, before
/// other threads start.
void prepare_end_signals();

}  // namespace threadscape::app
