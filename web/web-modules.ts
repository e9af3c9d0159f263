import type { ComponentType } from 'react'
import type { Sentence } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { pageData } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'

/** `moderators` and admins include those without the second step that the community requires. */
export type Audience = 'members' | 'guardians' | 'moderators' | 'admins'

/** `action` floats on phones; `iconButtons` is beside the profile menu; `adminActions` on the dashboard. */
export type NavPlace = 'topBar' | 'action' | 'iconButtons' | 'profileMenu' | 'bottomBar' | 'adminActions'

export interface NavItem {
  /** The link leads to the first path, and is marked as current on all. */
  paths: readonly string[]
  label: Sentence
  icon: LucideIcon
  /** For a label that does not say enough. */
  tooltip?: Sentence
  /** Unread items; 0 shows no badge. */
  useBadgeCount?: () => number
  /** Whether there is something for the member there. In the profile menu only. Default: always. */
  useIsShown?: () => boolean
}

export interface PlacedItem extends NavItem {
  /** The position in each place; the smallest number is first. */
  positions: Readonly<Partial<Record<NavPlace, number>>>
  /** Other pages on which the item is marked as current too. */
  activePattern?: RegExp
  /** If absent, everyone who may read the community. */
  visibleTo?: Audience
  /** In `iconButtons`: phones have it in their top bar too. */
  isOnPhones?: true
  /** In `iconButtons`: in place of following the link. */
  onClick?: () => void
  /** The top bar shows a menu in place of a link. */
  items?: readonly NavItem[]
}

export interface GlobalShortcut {
  /** In the list of shortcuts; the smallest number is first. */
  order: number
  keys: readonly string[]
  description: Sentence
  visibleTo?: Audience
  run: (me: Me | null) => void
}

/** `field` is its name in the answer of `GET /api/admin/facts`. */
export interface AdminStatistic {
  order: number
  field: string
  label: Sentence
  note?: Sentence
}

interface SamplePageLink {
  to: string
  label: Sentence
  isHiddenFromChildren?: true
}

/** The default export of features/x/web/module.ts. */
export interface WebModule {
  /** Its folder in features/. */
  name: string
  navigation?: readonly PlacedItem[]
  samples?: readonly SamplePageLink[]
  shortcuts?: readonly GlobalShortcut[]
  /** For members. Lazy: narrow windows never load it. */
  sidebar?: { label: Sentence; Component: ComponentType<{ me: Me }> }
  /** After the content of every page, such as a list that floats beside a text field. */
  Overlay?: ComponentType
  /** Runs as long as the app is open. `me` is null for a visitor. */
  useBackgroundWork?: (me: number | null) => void
  /** Unread items; the window's title shows the sum. */
  useBadgeCount?: () => number
  adminStatistics?: readonly AdminStatistic[]
}

/** Code that changes one of the numbers invalidates it. */
export const statisticsKey = ['admin statistics']

const found = import.meta.glob<WebModule>('../features/*/web/module.{ts,tsx}', {
  eager: true,
  import: 'default',
})

/** In the server's order. Never changes while the app is open, so a hook may call a hook of each. */
export const webModules = pageData.app.features.flatMap((name) =>
  Object.values(found).filter((module) => module.name === name),
)

export const sampleLinks = webModules.flatMap((module) => module.samples ?? [])
/** Admins decide this. */
export const samplesShown = createStore(pageData.app.samples)

export const isVisibleTo = ({ visibleTo }: { visibleTo?: Audience }, me: Me | null) =>
  me
    ? visibleTo === 'guardians'
      ? me.is_guardian === true
      : me.is_admin ||
        (visibleTo === 'moderators' ? me.is_moderator || me.needs_second_step : visibleTo !== 'admins')
    : !visibleTo && !pageData.app.membersOnly

export const listNavItems = (place: NavPlace, me: Me | null) =>
  webModules
    .flatMap(({ navigation = [] }) => navigation)
    .filter((entry) => entry.positions[place] !== undefined && isVisibleTo(entry, me))
    .toSorted((a, b) => a.positions[place]! - b.positions[place]!)

export function useTotalBadge() {
  let sum = 0
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of modules never changes
  for (const { useBadgeCount = useZeroBadge } of webModules) sum += useBadgeCount()
  return sum
}
export const useZeroBadge = () => 0
export const useAlways = () => true

export function useModuleWork(me: number | null) {
  for (const { useBackgroundWork: useBackground = useNothing } of webModules) {
    // biome-ignore lint/correctness/useHookAtTopLevel: the list of modules never changes
    useBackground(me)
  }
}
const useNothing = () => {}
