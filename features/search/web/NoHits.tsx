import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { Overview } from '../contract.ts'
import type { Form } from './asked.ts'
import { describe, describeLeft } from './labels.ts'
import { searchText } from './text.ts'
import { useOverview } from './useOverview.ts'

/** Says what to change. */
export function NoHits({ form, answer }: { form: Form; answer: Overview }) {
  const t = useText(searchText)
  const lang = useLang()
  const me = useMe()
  const { asked, words } = form
  const { suggestion, filters } = answer
  const elsewhere = useElsewhere(form)
  const hasHelp = suggestion !== null || filters.length > 0 || elsewhere
  return (
    <EmptyState title={t.nothing(words)} help={hasHelp ? undefined : t.nothingHelp}>
      {filters.length > 0 && <p>{t.withoutHelp}</p>}
      {suggestion !== null && <p>{t.suggest}</p>}
      <div className="search-help">
        {suggestion !== null && (
          <Button kind="primary" onClick={() => form.setQuery(suggestion)}>
            {describe(suggestion, lang)}
          </Button>
        )}
        {filters.map(({ text, without }) => (
          <Button key={text} onClick={() => form.setQuery(without)}>
            {t.without(describeLeft(text, lang))}
          </Button>
        ))}
        {!me && <ButtonLink href="/login">{t.logIn}</ButtonLink>}
        {elsewhere && asked.place && <Button onClick={() => form.setPlace('')}>{t.everywhere}</Button>}
      </div>
    </EmptyState>
  )
}

/** Whether there are hits outside of the place that was asked. */
function useElsewhere({ asked }: Form) {
  const isInside = asked.place !== ''
  const { data, isPlaceholderData } = useOverview({ ...asked, place: '' }, isInside)
  return isInside && !isPlaceholderData && data !== undefined && data.sections.length > 0
}
