import { type ComponentType, use } from 'react'
import type { AddedPageSection, PageDefinition } from '#core/contract.ts'
import { waitUntilIdle } from '#web/idle.ts'
import { initialPageData } from '#web/page-data.ts'

// The option `import` of `import.meta.glob` makes the bundle smaller: without this option, the bundle has an
// object for each file.
const pages = import.meta.glob<readonly PageDefinition[]>('../features/*/pages.ts', {
  eager: true,
  import: 'pageDefinitions',
})
const addedSections = import.meta.glob<readonly AddedPageSection[]>('../features/*/page-sections.ts', {
  eager: true,
  import: 'sectionsAddedToOtherPages',
})
const { features } = initialPageData.app

/** The definitions of the pages of all features that run on this server. */
export const pageDefinitionsOfRunningFeatures = features.flatMap(
  (name) => pages[`../features/${name}/pages.ts`] ?? [],
)
const sections = features.flatMap((name) => addedSections[`../features/${name}/page-sections.ts`] ?? [])

type Module = { default: ComponentType }
const files = import.meta.glob<Module>('../features/*/web/*{Page,PageSection}.tsx')

const loaded = new Map<string, ComponentType>()
const loading = new Map<string, Promise<ComponentType>>()

/**
 * Loads the component of a page or of a page section: `posts/PostListPage` is the default export of
 * features/posts/web/PostListPage.tsx. If a component that the reader opens fails to load, it is not tried
 * again until the page is reloaded.
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

/** Loads the component of a page, and those of the sections that other features add to the page. */
export const loadViewComponentsOfPage = ({ path, view }: PageDefinition) =>
  Promise.all([view, ...sectionsOf(path).map((section) => section.view)].map(loadView))

/**
 * Loads the components of all pages and page sections one by one while the browser is idle, so that a page
 * needs only its data when it is opened. Does nothing if the browser is set to save data.
 */
export async function prefetchAllViewComponents() {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  for (const view of new Set([...pageDefinitionsOfRunningFeatures, ...sections].map((shown) => shown.view))) {
    await waitUntilIdle()
    await loadView(view).catch(() => loading.delete(view))
  }
}

/**
 * Renders the component of a page or of a page section: at once if its code is loaded, so that nothing
 * flashes; otherwise it suspends while the code is loading.
 */
export function LazyView({ view }: { view: string }) {
  const Component = loaded.get(view) ?? use(loadView(view))
  return <Component />
}

/**
 * Renders the sections that other features add to the page at `path`: with `atTop` those above its content,
 * otherwise those below it.
 */
export const PageSectionsFromFeatures = ({ path, atTop }: { path: string; atTop?: true }) =>
  sectionsOf(path)
    .filter(({ isAtTop }) => isAtTop === atTop)
    .map(({ view }) => <LazyView key={view} view={view} />)

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i')
/**
 * Returns whether a running feature has a page at this path. Code checks this before it links to another
 * feature's page.
 */
export const hasPageAtPath = (path: string) => findPageDefinitionAtPath(path) !== undefined

/** Returns the definition of the page at a path, or undefined if no running feature has one. */
export const findPageDefinitionAtPath = (path: string): PageDefinition | undefined =>
  pageDefinitionsOfRunningFeatures.find((page) => patternOf(page.path).test(path))
