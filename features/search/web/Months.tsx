import type { ReactNode } from 'react'
import * as dates from '#web/dates.ts'
import { useLang } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { PersonName } from '#web/ui/UserText.tsx'
import type { Attached } from '../contract.ts'

export interface ListProps {
  /** Newest first. */
  rows: readonly Attached[]
}

interface MonthsProps extends ListProps {
  children: (rows: readonly Attached[]) => ReactNode
}

/** Each month with its heading. */
export function Months({ rows, children }: MonthsProps) {
  const lang = useLang()
  const months = new Map<string, Attached[]>()
  for (const row of rows) {
    const month = dates.month(row.created_at, lang)
    months.set(month, [...(months.get(month) ?? []), row])
  }
  return [...months].map(([month, own]) => (
    <section key={month} className="search-section" aria-label={month}>
      <header>
        <h2>{month}</h2>
      </header>
      {children(own)}
    </section>
  ))
}

/** Who and when; leads to the place. */
export const Origin = ({ row: { url, user, created_at } }: { row: Attached }) => (
  <Link className="text-meta origin" href={url}>
    <PersonName>{user.name}</PersonName>
    <RelativeTime at={created_at} />
  </Link>
)
