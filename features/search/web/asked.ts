import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { HitKind } from '../contract.ts'
import * as earlyKeys from './early-keys.ts'
import { join, split } from './filters.ts'

/** In ms after the last key. */
const DELAY = 250

export interface Asked {
  /** Words and operators. */
  q: string
  /** Such as `group:5`; empty for everywhere. */
  place: string
  /** Empty for the first hits of each kind. */
  kind: HitKind | ''
}
const PATH = '/search'

const kinds: readonly string[] = ['person', 'group', 'post', 'reply', 'message', 'file'] satisfies HitKind[]
const isPlace = (text: string) => /^(group|person):\d{1,15}$/.test(text)

export const isGroup = ({ place }: Asked) => place.startsWith('group:')

export function read(search: string): Asked {
  const given = new URLSearchParams(search)
  const [place = '', kind = ''] = [given.get('in') ?? '', given.get('kind') ?? '']
  return {
    q: given.get('q')?.trim() ?? '',
    place: isPlace(place) ? place : '',
    kind: kinds.includes(kind) ? (kind as HitKind) : '',
  }
}

export function pathOf({ q = '', place, kind }: Partial<Asked>) {
  const parts = [q && `q=${encodeURIComponent(q)}`, place && `in=${place}`, kind && `kind=${kind}`]
  const search = parts.filter(Boolean).join('&')
  return search ? `${PATH}?${search}` : PATH
}

interface Parts {
  words: string
  filters: readonly string[]
}

export type AttachedKind = 'picture' | 'file' | 'link'
export const attachmentsPath = (place: string, kind: AttachedKind) =>
  `${PATH}/attachments?${place && `in=${place}&`}has=${kind}`

const isHere = () => location.pathname === PATH

/**
 * What the box and the chips say, and what is asked: the address has it, so that it can be shared, and so that
 * going back restores it.
 */
export function useAsked() {
  const search = useSearch()
  const [seen, setSeen] = useState(search)
  const [asked, setAsked] = useState(() => read(search))
  const [{ words, filters }, setForm] = useState<Parts>(() => split(asked.q || earlyKeys.read()))

  // During a navigation the page stays on the screen, but the address is already that of the next page.
  if (search !== seen && isHere()) {
    setSeen(search)
    const next = read(search)
    if (pathOf(next) !== pathOf(asked)) {
      setAsked(next)
      setForm(split(next.q))
    }
  }

  /** What is typed changes the address; a filter is a step of its own, which going back undoes. */
  const ask = (next: Partial<Asked>, isStep = false) => {
    const all = { ...asked, ...next }
    if (!isHere() || pathOf(all) === pathOf(asked)) return
    setAsked(all)
    navigate(pathOf(all), isStep ? {} : { replace: true, state: history.state })
  }
  const q = join(words, filters)
  useEffect(() => {
    const timer = setTimeout(ask, DELAY, { q })
    return () => clearTimeout(timer)
  })
  const set = (form: Parts) => {
    setForm(form)
    ask({ q: join(form.words, form.filters) }, true)
  }
  return {
    asked,
    words,
    filters,
    /** What is typed has not been asked yet. */
    isEarly: q !== asked.q,
    type: (text: string) => setForm({ words: text, filters }),
    setFilters: (next: readonly string[]) => set({ words, filters: next }),
    setQuery: (next: string) => set(split(next)),
    setPlace: (place: string) => ask({ q, place }, true),
    /** Operators that were typed become chips. */
    finish() {
      const typed = split(words)
      set({ words: typed.words, filters: [...filters, ...typed.filters] })
    },
  }
}
export type Form = ReturnType<typeof useAsked>
