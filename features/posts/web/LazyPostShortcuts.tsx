import { Suspense } from 'react'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'

const PostShortcuts = lazyWithRetry(() => import('./PostShortcuts.tsx'))

/** Adds the keyboard shortcuts for posts to the page, after the first render of the app. */
export const LazyPostShortcuts = () => (
  <Suspense>
    <PostShortcuts />
  </Suspense>
)
