export function isProcessAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
