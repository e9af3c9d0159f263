import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'

// What is new for a member since a time, from all features, for the page and the mail that say so.

declare module '#core/context.ts' {
  interface AppContext {
    /** At most `limit` of each part. */
    news: News
  }
}

/** The most important first. `asked`: waits for the member. */
export const newsParts = ['asked', 'mentions', 'announcements', 'groups', 'rest'] as const
export type NewsPart = (typeof newsParts)[number]

interface NewsAvatar {
  id: number
  name: string
  profile_image: string | null
  is_group?: true
}

export interface NewsEntry {
  /** What it is about, such as `post 12`: shown once, in the first part that has it. */
  key: string
  path: string
  avatar: NewsAvatar | null
  title: string
  text: string | null
  /** ISO 8601. */
  at: string
  /** Of new messages; 100 if there may be more. */
  count?: number
  is_read?: true
}

export interface NewsPeriod {
  /** ISO 8601. */
  since: string
  /** At most `since`: what is for the member alone and unread is new since then. */
  unread_since: string
  /** Leaves out what the member does not want by mail, or has had by mail already. */
  by_mail?: true
}

/** At most `MAX_READ` entries, the newest first. */
export interface NewsList {
  entries: readonly NewsEntry[]
  /** Those that are only counted. */
  more?: number
  /** The page with all of them. */
  path: string
}

/** Of one feature. */
export const MAX_READ = 20

export type NewsViewer = MemberContext & { lang: Language }
export type ReadNews = (
  viewer: NewsViewer,
  period: NewsPeriod,
) => Promise<Readonly<Partial<Record<NewsPart, NewsList>>>>

export interface NewsSection {
  part: NewsPart
  entries: NewsEntry[]
  /** Further ones. */
  more: number
  /** The page with all of them; null if `more` is 0. */
  path: string | null
}

export type News = (viewer: NewsViewer, period: NewsPeriod, limit: number) => Promise<NewsSection[]>

/** Without the other fields of a person. */
export const personAvatar = ({ id, name, profile_image }: NewsAvatar): NewsAvatar => ({
  id,
  name,
  profile_image,
})

const newestFirst = (a: NewsEntry, b: NewsEntry) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)

/** Parts with nothing are left out. Within a part, a later feature knows more about the same thing. */
export function collectNews(features: readonly { news?: ReadNews }[]): News {
  const readers = features.flatMap(({ news }) => news ?? [])
  return async (viewer, period, limit) => {
    const found = await Promise.all(readers.map((read) => read(viewer, period)))
    const seen = new Set<string>()
    return newsParts.flatMap((part): NewsSection[] => {
      const lists = found.flatMap((parts) => parts[part] ?? [])
      const all = lists.flatMap(({ entries, path }) => entries.map((entry) => ({ entry, path })))
      const own = new Map(
        all.filter(({ entry }) => !seen.has(entry.key)).map((one) => [one.entry.key, one] as const),
      )
      for (const key of own.keys()) seen.add(key)
      const sorted = [...own.values()].toSorted((a, b) => newestFirst(a.entry, b.entry))
      const cut = sorted.slice(limit)
      const counted = lists.filter(({ more = 0 }) => more > 0)
      if (!sorted.length && !counted.length) return []
      return [
        {
          part,
          entries: sorted.slice(0, limit).map(({ entry }) => entry),
          more: cut.length + counted.reduce((sum, { more = 0 }) => sum + more, 0),
          path: counted[0]?.path ?? cut[0]?.path ?? null,
        },
      ]
    })
  }
}
