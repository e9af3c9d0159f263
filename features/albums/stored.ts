/** The largest file; of an animated picture the one that moves. */
export function findStoredWidth({ widths, animated }: { widths: string; animated: number }) {
  const all = widths.split(',').map(Number)
  return animated ? Math.min(1280, all.at(-1)!) : all.at(-1)!
}
