import type { ComponentType } from 'react'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { pageData } from '#web/page-data.ts'

// Later features add what else waits for the member, above the posts. This feature may not import them, so this
// file finds them by their file name.

const found = import.meta.glob<ComponentType>('../../*/web/WaitingSection.tsx', { import: 'default' })

export const waitingSections = pageData.app.features.flatMap((feature) => {
  const load = found[`../../${feature}/web/WaitingSection.tsx`]
  return load ? [{ feature, Section: lazyWithRetry(async () => ({ default: await load() })) }] : []
})
