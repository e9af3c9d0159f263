import { defineTexts, useText } from '#web/i18n.ts'
import * as store from './post-store.ts'

const removedImagesText = defineTexts({
  en: {
    removed: (n: number) =>
      n === 1
        ? 'A picture or file was removed because of its age.'
        : `${n} pictures and files were removed: the time for keeping them is over.`,
  },
  ja: { removed: (n: number) => `保存期間を過ぎた画像とファイル（${n}件）は、削除されました。` },
})

/** Loaded when the first note is shown, or when the first event about removed pictures arrives. */
export default function ExpiredImagesNote({ count }: { count: number }) {
  return <p className="text-meta">{useText(removedImagesText).removed(count)}</p>
}

/** Adds their number to `removed_images` of each post. */
export function removePictures(ids: readonly number[]) {
  for (const id of ids) {
    const { images = [], files = [], removed_images = 0 } = store.state.get().posts.get(id) ?? {}
    const count = images.length + files.length
    if (count) store.patch(id, { images: [], files: undefined, removed_images: removed_images + count })
  }
}
