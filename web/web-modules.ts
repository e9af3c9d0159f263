import type { ComponentType } from 'react'
import type { BilingualSentence } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { initialPageData } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'

/**
 * The people who see an item of the interface. `moderators` are moderators and admins, also those who have
 * not set up the second step of the log-in that the community requires.
 */
export type UiItemAudience = 'members' | 'moderators' | 'admins'

/**
 * A place in the frame of the pages that shows navigation items. `action` is the primary button of the top
 * bar, which floats above the page on phones; `iconButtons` are buttons without text beside the profile menu;
 * `adminActions` are the buttons at the top of the admin dashboard.
 */
export type NavPlace = 'topBar' | 'action' | 'iconButtons' | 'profileMenu' | 'bottomBar' | 'adminActions'

export interface NavItem {
  /**
   * The paths of the page to which the navigation item belongs. The link of the item leads to the first path,
   * and is marked as current on all of them.
   */
  paths: readonly string[]
  label: BilingualSentence
  icon: LucideIcon
  /** The text of a tooltip, for a navigation item whose label does not say enough. */
  tooltip?: BilingualSentence
  /** Returns the number of unread items that the badge of the navigation item shows; 0 shows no badge. */
  useBadgeCount?: () => number
}

export interface PlacedNavItem extends NavItem {
  /**
   * The places that show the navigation item, each with the position of the item there. The item with the
   * smallest number is first.
   */
  positions: Readonly<Partial<Record<NavPlace, number>>>
  /** Matches the paths of other pages on which the item is marked as current too. */
  activePattern?: RegExp
  /** The people who see the navigation item. If absent, everyone who may read the community sees it. */
  visibleTo?: UiItemAudience
  /** The items of the menu that the top bar shows in place of a link. */
  items?: readonly NavItem[]
}

/** A keyboard shortcut that works on every page. */
export interface GlobalKeyboardShortcut {
  /** The position of the shortcut in the list of shortcuts; the smallest number is first. */
  order: number
  keys: readonly string[]
  description: BilingualSentence
  visibleTo?: UiItemAudience
  run: (me: Me | null) => void
}

/**
 * A number on the admin dashboard. `field` is the name of the number in the answer of `GET /api/admin/facts`.
 */
export interface AdminStatisticDefinition {
  order: number
  field: string
  label: BilingualSentence
  note?: BilingualSentence
}

interface SamplePageLink {
  to: string
  label: BilingualSentence
  isHiddenFromChildren?: true
}

/**
 * The parts that a feature registers in the frame of the pages: the default export of
 * features/x/web/module.ts.
 */
export interface FeatureWebModule {
  /** The name of the feature's folder in features/. */
  name: string
  navigation?: readonly PlacedNavItem[]
  /** Matches the paths of pages that have their own button in the place of the floating action button. */
  withoutFloatingAction?: RegExp
  /** The links to sample pages that the feature adds to the footer, under "Samples". */
  samples?: readonly SamplePageLink[]
  shortcuts?: readonly GlobalKeyboardShortcut[]
  /** A part of the sidebar that members see. The component is lazy: narrow windows never load it. */
  sidebar?: { label: BilingualSentence; Component: ComponentType<{ me: Me }> }
  /**
   * A component that the frame of the pages renders after the content of every page, such as a list that
   * floats beside a text field.
   */
  Overlay?: ComponentType
  /**
   * A hook that runs work in the background as long as the app is open. `me` is the id of the member, or null
   * for a visitor.
   */
  useBackgroundWork?: (me: number | null) => void
  /**
   * A hook that returns the number of unread items of the feature. The window's title shows the sum of these
   * numbers.
   */
  useBadgeCount?: () => number
  adminStatistics?: readonly AdminStatisticDefinition[]
}

/**
 * The React Query key of the numbers on the admin dashboard. Code that changes one of the numbers invalidates
 * this key.
 */
export const adminStatisticsQueryKey = ['admin statistics']

const found = import.meta.glob<FeatureWebModule>('../features/*/web/module.{ts,tsx}', {
  eager: true,
  import: 'default',
})

/**
 * The web modules of those features that run on this server, in the server's order. The list never changes
 * while the app is open, so a hook may call a hook of each module.
 */
export const webModulesOfRunningFeatures = initialPageData.app.features.flatMap((name) =>
  Object.values(found).filter((module) => module.name === name),
)

/** The links in the footer to the sample pages of the features that run. */
export const footerLinksToSamplePages = webModulesOfRunningFeatures.flatMap((module) => module.samples ?? [])
/** A store with whether the footer shows the links to the sample pages. Admins decide this. */
export const samplePageLinksShownStore = createStore(initialPageData.app.samples)

export const isUiItemVisibleTo = ({ visibleTo }: { visibleTo?: UiItemAudience }, me: Me | null) =>
  me
    ? me.is_admin ||
      (visibleTo === 'moderators' ? me.is_moderator || me.needs_second_step : visibleTo !== 'admins')
    : !visibleTo && !initialPageData.app.membersOnly

/**
 * Returns the navigation items that the user or visitor sees in one place of the frame of the pages, in their
 * order.
 */
export const listVisibleNavItemsAtPlace = (place: NavPlace, me: Me | null) =>
  webModulesOfRunningFeatures
    .flatMap(({ navigation = [] }) => navigation)
    .filter((entry) => entry.positions[place] !== undefined && isUiItemVisibleTo(entry, me))
    .toSorted((a, b) => a.positions[place]! - b.positions[place]!)

/** Returns the sum of the unread items of all features, which the window's title shows. */
export function useTotalBadgeCountForTitle() {
  let sum = 0
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of modules never changes
  for (const { useBadgeCount = useZeroBadgeCount } of webModulesOfRunningFeatures) sum += useBadgeCount()
  return sum
}
export const useZeroBadgeCount = () => 0

/** Runs the hook for background work of every feature that has one. */
export function useModuleBackgroundWork(me: number | null) {
  for (const { useBackgroundWork: useBackground = useNothing } of webModulesOfRunningFeatures) {
    // biome-ignore lint/correctness/useHookAtTopLevel: the list of modules never changes
    useBackground(me)
  }
}
const useNothing = () => {}
