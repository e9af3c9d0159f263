import { type ComponentType, use } from 'react'
import type { AddedPageSection, PageDefinition } from '#core/contract.ts'
import { waitUntilIdle } from '#web/idle.ts'
import { pageData } from '#web/page-data.ts'

// Without the option `import`, the bundle has an object for each file.
const pages = import.meta.glob<readonly PageDefinition[]>('../features/*/pages.ts', {
  eager: true,
  import: 'pageDefinitions',
})
const addedSections = import.meta.glob<readonly AddedPageSection[]>('../features/*/page-sections.ts', {
  eager: true,
  import: 'pageSections',
})
const { features } = pageData.app

export const pageDefinitions = features.flatMap((name) => pages[`../features/${name}/pages.ts`] ?? [])
const sections = features.flatMap((name) => addedSections[`../features/${name}/page-sections.ts`] ?? [])

type Module = { default: ComponentType }
const files = import.meta.glob<Module>('../features/*/web/*{Page,PageSection}.tsx')

const loaded = new Map<string, ComponentType>()
const loading = new Map<string, Promise<ComponentType>>()

/**
 * `posts/PostListPage` is the default export of features/posts/web/PostListPage.tsx. A failed component that
 * the reader opens is not tried again until the page is reloaded.
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

const sectionsOf = (path: string) => sections.filter((section) => section.path === path)

/** With the sections that other features add. */
export const loadPage = ({ path, view }: PageDefinition) =>
  Promise.all([view, ...sectionsOf(path).map((section) => section.view)].map(loadView))

/** Runs while the browser is idle, so that a page needs only its data; not if it is set to save data. */
export async function prefetchViews() {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  for (const view of new Set([...pageDefinitions, ...sections].map((shown) => shown.view))) {
    await waitUntilIdle()
    await loadView(view).catch(() => loading.delete(view))
  }
}

/** At once if its code is loaded, so that nothing flashes; otherwise it suspends. */
export function LazyView({ view }: { view: string }) {
  const Component = loaded.get(view) ?? use(loadView(view))
  return <Component />
}

/** `atTop`: above the content, otherwise below it. */
export const PageSections = ({ path, atTop }: { path: string; atTop?: true }) =>
  sectionsOf(path)
    .filter(({ isAtTop }) => isAtTop === atTop)
    .map(({ view }) => <LazyView key={view} view={view} />)

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i')
/** Asked before a link to another feature's page. */
export const hasPage = (path: string) => findPage(path) !== undefined

/** Undefined if no running feature has one. */
export const findPage = (path: string): PageDefinition | undefined =>
  pageDefinitions.find((page) => patternOf(page.path).test(path))
