import { Clock, Images, X } from 'lucide-react'
import type { Me } from '#features/people/contract.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { attachmentsPath } from './asked.ts'
import { attachmentsText } from './attachments-text.ts'
import { describe } from './labels.ts'
import * as recent from './recent.ts'
import { searchText } from './text.ts'

interface Props {
  me: Me | null
  /** Empty for everywhere. */
  place: string
  onChoose: (q: string) => void
}

/** Before something is asked. */
export function Start({ me, place, onChoose }: Props) {
  const t = useText(searchText)
  const lang = useLang()
  return (
    <>
      {me && <Recent me={me.id} onChoose={onChoose} />}
      <EmptyState title={t.start} help={me ? t.startHelp : t.startVisitor} withoutBackground>
        {me && (
          <ButtonLink icon={Images} href={attachmentsPath(place, 'picture')}>
            {attachmentsText[lang].title}
          </ButtonLink>
        )}
      </EmptyState>
    </>
  )
}

function Recent({ me, onChoose }: { me: number; onChoose: Props['onChoose'] }) {
  const t = useText(searchText)
  const lang = useLang()
  const queries = recent.useRecent(me)
  if (!queries.length) return null
  return (
    <section className="search-section" aria-labelledby="recent-searches">
      <header>
        <h2 id="recent-searches">{t.recent}</h2>
        <Button kind="ghost" small onClick={() => recent.clear(me)}>
          {t.forgetAll}
        </Button>
      </header>
      <ul className="cards flush recent-searches">
        {queries.map((q) => {
          const label = describe(q, lang)
          return (
            <li key={q}>
              <button type="button" onClick={() => onChoose(q)}>
                <Icon icon={Clock} />
                <span dir="auto">{label}</span>
              </button>
              <Button
                kind="ghost"
                iconOnly
                icon={X}
                label={t.forget(label)}
                onClick={() => recent.remove(me, q)}
              />
            </li>
          )
        })}
      </ul>
      <p className="text-meta phone-padding">{t.recentHelp}</p>
    </section>
  )
}
