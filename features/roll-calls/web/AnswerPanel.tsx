import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { san } from '#core/text/honorific.ts'
import { useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import {
  type AskedPerson,
  MAX_PLACE,
  MAX_WORDS,
  type RollCallAnswer,
  type RollCallDetails,
  type RollCallState,
} from '../contract.ts'
import { stateLabels } from '../states-contract.ts'
import { send } from './outbox.ts'
import { detailsKey, listKey, useOutbox } from './queries.ts'
import { rollCallText } from './text.ts'

/** Three buttons for the member, and for each child. */
export function AnswerPanel({ details }: { details: RollCallDetails }) {
  const t = useText(rollCallText)
  const me = useMe()!.id
  const waiting = useOutbox(me)
  return (
    <>
      {details.is_drill && !details.ended_at && <Notice kind="warning">{t.drillNote}</Notice>}
      {details.ended_at && <p>{t.endedNote}</p>}
      {!details.people.length && <p className="text-soft">{t.notAsked}</p>}
      {details.people.map((asked) => {
        const child = asked.person.id === me ? null : asked.person.id
        const isWaiting = waiting.some((one) => one.id === details.id && one.for === child)
        return (
          <PersonPanel
            key={asked.person.id}
            details={details}
            asked={asked}
            child={child}
            isWaiting={isWaiting}
          />
        )
      })}
    </>
  )
}

interface Props {
  details: RollCallDetails
  asked: AskedPerson
  /** Null for the member. */
  child: number | null
  isWaiting: boolean
}

const states = ['safe', 'help', 'away'] as const

function useAnswer({ details: { id }, child }: Pick<Props, 'details' | 'child'>) {
  const client = useQueryClient()
  const me = useMe()!.id
  return useMutation({
    mutationFn: (given: { state: RollCallState; words: string | null; place: string | null }) =>
      send(me, { id, for: child, ...given, at: Date.now() }),
    networkMode: 'always',
    onSuccess: (answered) => {
      if (!answered) return
      client.setQueryData(detailsKey(id), answered)
      void client.invalidateQueries({ queryKey: listKey })
    },
  })
}

function PersonPanel({ details, asked, child, isWaiting }: Props) {
  const t = useText(rollCallText)
  const lang = useLang()
  const explain = useErrorText()
  const { mutate, isPending, isSuccess, data, error, variables } = useAnswer({ details, child })
  const [place, setPlace] = useState('')
  const [words, setWords] = useState('')
  const [newest] = asked.answers
  const chosen = (isPending || isWaiting ? variables?.state : undefined) ?? newest?.state
  const answer = (state: RollCallState) => mutate({ state, place: place || null, words: words || null })
  const { name } = asked.person
  return (
    <section className="roll-call-person">
      <h2 className="question">{child === null ? t.yours : t.childs(lang === 'ja' ? san(name) : name)}</h2>
      {!details.ended_at && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
          <div
            className="roll-call-buttons"
            role="group"
            aria-label={child === null ? t.yours : t.childs(name)}
          >
            {states.map((state) => (
              <button
                key={state}
                type="button"
                data-state={state}
                aria-pressed={chosen === state}
                onClick={() => answer(state)}
              >
                {stateLabels[lang][state]}
              </button>
            ))}
          </div>
          <p role="status" className="roll-call-status">
            {isWaiting && !isPending ? t.waitsForSignal : isSuccess && data ? t.saved : ''}
          </p>
          {error && <Notice kind="error">{explain(error)}</Notice>}
          <Field
            label={t.place}
            value={place}
            maxLength={MAX_PLACE}
            onChange={(e) => setPlace(e.target.value)}
          />
          <Field
            label={t.words}
            value={words}
            maxLength={MAX_WORDS}
            onChange={(e) => setWords(e.target.value)}
          />
          {chosen ? (
            <Button pending={isPending} disabled={!place && !words} onClick={() => answer(chosen)}>
              {t.add}
            </Button>
          ) : (
            <p className="hint">{t.addHelp}</p>
          )}
        </>
      )}
      <History answers={asked.answers} person={asked.person.id} />
    </section>
  )
}

function History({ answers, person }: { answers: readonly RollCallAnswer[]; person: number }) {
  const t = useText(rollCallText)
  const [newest, ...earlier] = answers
  if (!newest) return null
  return (
    <>
      <AnswerLine answer={newest} person={person} />
      {earlier.length > 0 && (
        <details>
          <summary>{t.history}</summary>
          <ul className="roll-call-history">
            {earlier.map((answer) => (
              <li key={answer.id}>
                <AnswerLine answer={answer} person={person} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** `person` is whom it is about: another person who answered is named. */
export function AnswerLine({ answer, person }: { answer: RollCallAnswer; person: number }) {
  const t = useText(rollCallText)
  const lang = useLang()
  const { state, words, place, at, by } = answer
  return (
    <p className="roll-call-answer">
      <b data-state={state}>{stateLabels[lang][state]}</b>
      {place && <UserText>{place}</UserText>}
      {words && <UserText>{words}</UserText>}
      <span className="text-meta">
        <RelativeTime at={at} />
        {by && by.id !== person && ` ${t.by(lang === 'ja' ? san(by.name) : by.name)}`}
      </span>
    </p>
  )
}
