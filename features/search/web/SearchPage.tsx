import './search.css'
import { type KeyboardEvent, useId, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { hasMouse, pressed } from '#web/keyboard.ts'
import { useMe } from '#web/me.ts'
import { usePageTitle } from '#web/title.ts'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { MAX_QUERY } from '../contract.ts'
import { useAsked } from './asked.ts'
import { Chips } from './Chips.tsx'
import { KindList } from './KindList.tsx'
import { Overview } from './Overview.tsx'
import * as recent from './recent.ts'
import { Start } from './Start.tsx'
import { searchText } from './text.ts'

/** Room for the filters. */
const MAX_WORDS = MAX_QUERY - 100

export default function SearchPage() {
  const t = useText(searchText)
  const me = useMe()
  const form = useAsked()
  const { asked, words } = form
  const hint = useId()
  const page = useRef<HTMLDivElement>(null)
  usePageTitle(words.trim() && t.titleOf(words.trim()))
  const remember = () => me && recent.add(me.id, asked.q)
  const moveFocus = (event: KeyboardEvent, by: 1 | -1) => {
    const stops = [...page.current!.querySelectorAll<HTMLElement>(':scope > search input, a.hit')]
    const at = stops.indexOf(document.activeElement as HTMLElement)
    const to = at < 0 ? undefined : stops[at + by]
    if (!to) return
    event.preventDefault()
    to.focus()
  }
  const onBoxKey = (event: KeyboardEvent) => {
    const key = pressed(event)
    if (key === 'Escape' && words) {
      event.preventDefault()
      form.type('')
    }
    if (key === 'Enter') {
      form.finish()
      remember()
      // The keyboard of a phone makes room for the results.
      if (!hasMouse()) (event.target as HTMLElement).blur()
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressed(event)
    if (key === 'ArrowDown') moveFocus(event, 1)
    if (key === 'ArrowUp') moveFocus(event, -1)
    if (key === 'Escape' && (event.target as Element).matches('a.hit'))
      page.current?.querySelector<HTMLElement>(':scope > search input')?.focus()
  }
  return (
    <PageLayout>
      <PageHeader title={t.title} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the box and the results */}
      <div className="search-page" ref={page} onKeyDown={onKeyDown}>
        <SearchBox
          label={t.box}
          text={words}
          onText={form.type}
          onKey={onBoxKey}
          autoFocus={asked.q === ''}
          maxLength={MAX_WORDS}
          describedBy={asked.q ? hint : undefined}
        />
        <Chips form={form} />
        {asked.q === '' ? (
          <Start me={me} place={asked.place} onChoose={form.setQuery} />
        ) : asked.kind ? (
          <KindList asked={asked} kind={asked.kind} hint={hint} onOpen={remember} />
        ) : (
          <Overview form={form} hint={hint} onOpen={remember} />
        )}
      </div>
    </PageLayout>
  )
}
