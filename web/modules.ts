import type { ComponentType } from 'react'
import type { Localized } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { pageData } from '#web/page-data.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'

export type Visibility = 'members' | 'admins'

/**
 * Where the shell shows an entry. `action` is the primary button of the top bar, which also floats above the
 * page on phones; `adminActions` are the buttons at the top of the admin dashboard.
 */
export type NavPlace = 'topBar' | 'action' | 'profileMenu' | 'bottomBar' | 'adminActions'

export interface NavItem {
  /** Paths of one and the same page. The entry is current on all of them, and leads to the first. */
  to: readonly string[]
  label: Localized
  icon: LucideIcon
  /** A tooltip, where the label does not say enough. */
  hint?: Localized
  /** How many unread things the entry stands for; 0 shows no badge. */
  useBadgeCount?: () => number
}

export interface NavEntry extends NavItem {
  /** The places that show the entry, with its position in each: the smallest number comes first. */
  places: Readonly<Partial<Record<NavPlace, number>>>
  /** Matches further paths on which the entry is current. */
  within?: RegExp
  /** Left out: everyone sees the entry, visitors too. */
  visibleTo?: Visibility
  /** The top bar shows a menu of these items in place of a link. */
  items?: readonly NavItem[]
}

/** A keyboard shortcut that works on every page. */
export interface ShortcutEntry {
  /** Position in the list of shortcuts. */
  order: number
  keys: readonly string[]
  does: Localized
  visibleTo?: Visibility
  run: (me: Me | null) => void
}

/** A figure of the admin dashboard. `fact` is its name in the answer of `GET /api/admin/facts`. */
export interface AdminFigure {
  order: number
  fact: string
  label: Localized
  note?: Localized
}

/** A feature registers this in the shell: the default export of features/x/web/module.ts. */
export interface WebModule {
  /** The feature's folder. */
  name: string
  navigation?: readonly NavEntry[]
  /** Matches the paths of pages that have a button of their own where the floating action button would be. */
  withoutFloatingAction?: RegExp
  /** Links in the footer, under "Samples". */
  samples?: readonly { to: string; label: Localized }[]
  shortcuts?: readonly ShortcutEntry[]
  /** A part of the sidebar of members. The component is lazy: narrow windows never fetch it. */
  sidebar?: { label: Localized; Component: ComponentType<{ me: Me }> }
  /** Runs for as long as the app is open. `me` is the member's id, or null for a visitor. */
  useBackground?: (me: number | null) => void
  /** How many unread things the window's title counts. */
  useBadgeCount?: () => number
  adminFigures?: readonly AdminFigure[]
}

/** The key of the figures in the query cache: whoever changes one invalidates it. */
export const adminFiguresKey = ['admin figures']

const found = import.meta.glob<{ default: WebModule }>('../features/*/web/module.{ts,tsx}', { eager: true })

/**
 * The modules of those features that run on this server, in the server's order. The list never changes while
 * the app is open, so a hook may call a hook of each module.
 */
export const modules = pageData.app.features.flatMap((name) =>
  Object.values(found).flatMap((file) => (file.default.name === name ? file.default : [])),
)

export const isVisible = ({ visibleTo }: { visibleTo?: Visibility }, me: Me | null) =>
  !visibleTo || (visibleTo === 'admins' ? me?.is_admin === true : me !== null)

/** The entries of one place that this person sees, in their order. */
export const entriesAt = (place: NavPlace, me: Me | null) =>
  modules
    .flatMap(({ navigation = [] }) => navigation)
    .filter((entry) => entry.places[place] !== undefined && isVisible(entry, me))
    .toSorted((a, b) => a.places[place]! - b.places[place]!)

/** The sum of the counts that the modules show in the window's title. */
export function useBadgeSum() {
  let sum = 0
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of modules never changes
  for (const { useBadgeCount = useNoBadge } of modules) sum += useBadgeCount()
  return sum
}
export const useNoBadge = () => 0

/** Runs the background work of every module. */
export function useBackgroundWork(me: number | null) {
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of modules never changes
  for (const { useBackground = useNothing } of modules) useBackground(me)
}
const useNothing = () => {}
