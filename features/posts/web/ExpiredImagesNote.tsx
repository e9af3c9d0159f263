import { defineTexts, useText } from '#web/i18n.ts'
import { patchPostInStore, postStore } from './post-store.ts'

const removedImagesText = defineTexts({
  en: {
    removed: (n: number) =>
      n === 1
        ? 'A picture was removed because of its age.'
        : `${n} pictures were removed because of their age.`,
  },
  ja: { removed: (n: number) => `古い画像${n}枚は削除されました。` },
})

/**
 * Renders the note that says how many pictures of a post or message were removed because of their age. The
 * code of the note is loaded when the first note is shown, or when the first event about removed pictures
 * arrives.
 */
export default function ExpiredImagesNote({ count }: { count: number }) {
  return <p className="text-meta">{useText(removedImagesText).removed(count)}</p>
}

/**
 * Removes the pictures of the posts with these ids in the post store, and adds their number to
 * `removed_images` of each post.
 */
export function removePostImagesFromStore(ids: readonly number[]) {
  for (const id of ids) {
    const { images, removed_images = 0 } = postStore.get().posts.get(id) ?? {}
    if (images?.length) patchPostInStore(id, { images: [], removed_images: removed_images + images.length })
  }
}
