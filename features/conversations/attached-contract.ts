import type { AttachedFile } from '#features/posts/contract.ts'

/** The same on the server and in the browser: see `toCounts`. */
export interface AttachedCounts {
  images_count: number
  files_count?: number
  is_voice?: true
  is_video?: true
}

/** Of a message that the browser has. */
export const countAttached = ({
  images,
  files = [],
}: {
  images: readonly unknown[]
  files?: readonly Pick<AttachedFile, 'kind'>[] | undefined
}): AttachedCounts => ({
  images_count: images.length,
  ...(files.length > 0 && { files_count: files.length }),
  ...(files[0]?.kind === 'voice' && { is_voice: true }),
  ...(files.length > 0 && files.every(({ kind }) => kind === 'video') && { is_video: true }),
})

/** Which text stands for a message without one. */
export function kindOf({ is_voice, is_video, files_count }: Omit<AttachedCounts, 'images_count'>) {
  if (is_voice) return 'voice'
  if (is_video) return 'video'
  return files_count ? 'file' : 'picture'
}
