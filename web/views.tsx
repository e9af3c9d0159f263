import { type ComponentType, use } from 'react'
import type { Page } from '#core/contract.ts'
import { pageData } from '#web/page-data.ts'
import { pages as all } from '#web/pages.ts'

type Module = { default: ComponentType }
const files = import.meta.glob<Module>('../features/*/web/*Page.tsx')

/** Those that this site has. */
export const pages = all.filter(({ demo }) => !demo || pageData.app.demo)

const loaded = new Map<string, ComponentType>()
const loading = new Map<string, Promise<ComponentType>>()

/** `posts/PostListPage` → what features/posts/web/PostListPage.tsx exports as its default. What failed to load for a reader stays failed until the page is loaded anew. */
export function loadView(view: string): Promise<ComponentType> {
  const known = loading.get(view)
  if (known) return known
  const promise = (
    files[`../features/${view.replace('/', '/web/')}.tsx`]?.() ?? Promise.reject(new Error(`No view ${view}`))
  ).then((module) => {
    loaded.set(view, module.default)
    return module.default
  })
  loading.set(view, promise)
  return promise
}

/** Safari has no such thing. */
const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 100))

/** Fetches all other views one by one when nothing else is to do, so that every way in the site is short, and stays open without a connection. */
export async function fetchAhead() {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  for (const view of new Set(pages.map((page) => page.view))) {
    await new Promise<unknown>((resolve) => whenIdle(resolve))
    await loadView(view).catch(() => loading.delete(view))
  }
}

/** Drawn at once when it is there, so that nothing flashes; suspends when it is not. */
export function View({ view }: { view: string }) {
  const Component = loaded.get(view) ?? use(loadView(view))
  return <Component />
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i')
export const pageAt = (path: string): Page | undefined =>
  pages.find((page) => patternOf(page.path).test(path))
