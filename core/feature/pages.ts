import type { AddedPageSection, Endpoint, Language, PageDefinition } from '#core/contract.ts'
import type { ImageSource } from '#core/media/preload.ts'

/** What only the server needs to know of a page. */
export interface PageExtras {
  initialData?: readonly Endpoint[]
  /** Inputs of these calls, besides the parameters of the path. */
  initialInput?: Readonly<Record<string, unknown>>
  /** The sources of the picture to preload. The server asks them until one returns a picture or null. */
  preloadImage?: readonly ImageSource[]
  /**
   * Returns the description of the page for search engines, from the response of the first endpoint of
   * `initialData`.
   */
  description?: (answer: never, lang: Language) => string | null
  /** The path that search engines list, if several paths show this page. */
  canonical?: string
  /** Whether search engines may list the page although it has no `initialData`. */
  isIndexedWithoutData?: true
  /**
   * Whether visitors of a members-only community see the page; other pages send them to the log-in. A
   * member sees such a page even while another page is required first (`requiredPage` of a module).
   */
  isForVisitors?: true
  /**
   * The position of the page in the menu of the installed app’s icon, where phones and desktops show links to
   * a few pages. Absent: the page is not in that menu.
   */
  appShortcutPosition?: number
}
export type ServerPage = PageDefinition & PageExtras

/** By path. */
export const addToPages = <const P extends PageDefinition>(
  pages: readonly P[],
  extras: { readonly [Path in P['path']]?: PageExtras },
): readonly ServerPage[] => pages.map((page) => ({ ...page, ...extras[page.path as P['path']] }))

/** `initialData`: the endpoints whose responses are in the HTML of the page too, after those of the page. */
export interface ServerSection extends AddedPageSection {
  initialData?: readonly Endpoint[]
}

/** By view. */
export const addToSections = <const S extends AddedPageSection>(
  sections: readonly S[],
  initialData: { readonly [View in S['view']]?: readonly Endpoint[] },
): readonly ServerSection[] =>
  sections.map((section) => ({ ...section, initialData: initialData[section.view as S['view']] ?? [] }))
