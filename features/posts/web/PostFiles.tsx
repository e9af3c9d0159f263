import type { Post } from '../contract.ts'
import ExpiredImagesNote from './ExpiredImagesNote.tsx'
import Files from './Files.tsx'

/** The files of a post, or how many of its pictures and files are gone. */
export default function PostFiles({ post: { files, removed_images } }: { post: Post }) {
  return (
    <>
      {files && <Files files={files} />}
      {removed_images && <ExpiredImagesNote count={removed_images} />}
    </>
  )
}
