import type { ComponentType } from 'react'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { pageData } from '#web/page-data.ts'

// A later feature lets members send a post or message later. Composers may not import it, so this file finds it
// by its file name.

export interface SendLaterProps {
  target: { kind: 'post' } | { kind: 'person' | 'group'; id: number }
  disabled: boolean
  /** What is in the form, as it would be sent; null if it cannot be sent as it is. */
  collect: () => Promise<FormData | null>
  /** The form is emptied. */
  onDone: () => void
}

const found = import.meta.glob<ComponentType<SendLaterProps>>('../features/*/web/SendLater.tsx', {
  import: 'default',
})
const feature = pageData.app.features.find((name) => `../features/${name}/web/SendLater.tsx` in found)
const load = feature && found[`../features/${feature}/web/SendLater.tsx`]

/** A button beside the one that sends; null without the feature. */
export const SendLater = load ? lazyWithRetry(async () => ({ default: await load() })) : null
