import { Suspense } from 'react'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'

const Shortcuts = lazyWithRetry(() => import('./Shortcuts.tsx'))

/** Loads the shortcuts after the first render of the app. */
export const LazyShortcuts = () => (
  <Suspense>
    <Shortcuts />
  </Suspense>
)
