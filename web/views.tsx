import { type ComponentType, use } from 'react'
import type { Page, PagePart } from '#core/contract.ts'
import { pageData } from '#web/page-data.ts'

const tables = import.meta.glob<{ pages: readonly Page[]; pageParts?: readonly PagePart[] }>(
  '../features/*/pages.ts',
  { eager: true },
)
const running = pageData.app.features.flatMap((name) => tables[`../features/${name}/pages.ts`] ?? [])

/** The pages of the features that run on this server. */
export const pages = running.flatMap((table) => table.pages)
const parts = running.flatMap((table) => table.pageParts ?? [])

type Module = { default: ComponentType }
const files = import.meta.glob<Module>('../features/*/web/*{Page,Part}.tsx')

const loaded = new Map<string, ComponentType>()
const loading = new Map<string, Promise<ComponentType>>()

/**
 * `posts/PostListPage` → the default export of features/posts/web/PostListPage.tsx. A view that failed to load
 * for a reader stays failed until the page is loaded anew.
 */
function loadView(view: string): Promise<ComponentType> {
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

const partsOf = (path: string) => parts.filter((part) => part.path === path)

/** Loads the view of a page, and those of the parts that other features add to it. */
export const loadPage = ({ path, view }: Page) =>
  Promise.all([view, ...partsOf(path).map((part) => part.view)].map(loadView))

/** Safari lacks requestIdleCallback. */
const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 100))

/**
 * Loads all other views one by one while the browser is idle, so that every page opens at once, and offline
 * too.
 */
export async function fetchAhead() {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  for (const view of new Set([...pages, ...parts].map((shown) => shown.view))) {
    await new Promise<unknown>((resolve) => whenIdle(resolve))
    await loadView(view).catch(() => loading.delete(view))
  }
}

/** Draws a loaded view at once, so that nothing flashes; suspends while it is being loaded. */
export function View({ view }: { view: string }) {
  const Component = loaded.get(view) ?? use(loadView(view))
  return <Component />
}

/** Draws what other features add to a page. */
export const PageParts = ({ path }: { path: string }) =>
  partsOf(path).map(({ view }) => <View key={view} view={view} />)

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i')
/** Whether a feature that runs has a page at this path: links to pages of other features ask first. */
export const hasPage = (path: string) => pageAt(path) !== undefined

/** The page at a path, if one of the features that run has it. */
export const pageAt = (path: string): Page | undefined =>
  pages.find((page) => patternOf(page.path).test(path))
