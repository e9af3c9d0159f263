import './people-picker.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { fetchPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type ListedUser, type Person, peopleEndpoints } from '../contract.ts'
import { pickerText } from './people-picker-text.ts'
import { Reading } from './Reading.tsx'

export type PickedPerson = Person & Pick<ListedUser, 'handle' | 'reading'>

interface Props {
  label: string
  hint?: string
  error?: string | undefined
  chosen: readonly PickedPerson[]
  max: number
  /** Is not found. */
  except?: number
  onChange: (chosen: readonly PickedPerson[]) => void
}

/** Finds people by a part of their name. */
export function PeoplePicker({ label, hint, error, chosen, max, except, onChange }: Props) {
  const t = useText(pickerText)
  const id = useId()
  const box = useRef<HTMLFieldSetElement>(null)
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const choose = (person: PickedPerson) => {
    setText('')
    setSaid(t.chosen(person.name))
    onChange([...chosen, person])
    // The button of the choice is gone.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('input, button')?.focus())
  }
  const search = (next: string) => {
    setSaid('')
    setText(next)
  }
  const remove = (person: PickedPerson) => {
    onChange(chosen.filter((one) => one.id !== person.id))
    requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
  }
  const left = [...chosen.map((person) => person.id), except]
  return (
    <fieldset className="field people-picker" ref={box} aria-describedby={hint || error ? id : undefined}>
      <legend className="label">{label}</legend>
      {error ? (
        <span className="field-error" id={id}>
          <Icon icon={CircleAlert} size="s" />
          <span>{error}</span>
        </span>
      ) : (
        hint && (
          <span className="hint" id={id}>
            {hint}
          </span>
        )
      )}
      {chosen.length < max && <SearchBox label={t.search} text={text} onText={search} />}
      <Results text={text} said={said} left={left} onChoose={choose} />
      {chosen.length > 0 && (
        <ul>
          {chosen.map((person) => (
            <li key={person.id} className="person">
              <PersonLine person={person} />
              <Button
                kind="ghost"
                iconOnly
                icon={X}
                label={t.remove(person.name)}
                onClick={() => remove(person)}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

const PersonLine = ({ person }: { person: PickedPerson }) => (
  <>
    <Avatar person={person} size="s" />
    <span>
      <UserText>{person.name}</UserText>
      <Reading person={person} aria-hidden />
      {person.shared_handle && <small className="text-meta">@{person.shared_handle}</small>}
    </span>
  </>
)

/** In ms after the last key. */
const SEARCH_DELAY = 250
const MAX_RESULTS = 6

interface ResultsProps {
  text: string
  /** What screen readers say while nothing is searched. */
  said: string
  left: readonly (number | undefined)[]
  onChoose: (person: ListedUser) => void
}

function Results({ text, said, left, onChoose }: ResultsProps) {
  const t = useText(pickerText)
  const explain = useErrorText()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(setQ, SEARCH_DELAY, text.trim())
    return () => clearTimeout(timer)
  }, [text])
  const { data, error } = useQuery({
    queryKey: [peopleEndpoints.users.path, 'to pick', q],
    queryFn: () => fetchPage(peopleEndpoints.users, { q, limit: MAX_RESULTS + left.length }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const isShown = text.trim() !== '' && q !== '' && data !== undefined
  const people = isShown ? data.rows.filter(({ id }) => !left.includes(id)) : []
  return (
    <>
      <p className={isShown ? 'text-meta' : 'visually-hidden'} role="status">
        {isShown ? t.found(people.length, data.next !== null) : said}
      </p>
      {error && <Notice kind="error">{explain(error)}</Notice>}
      {people.length > 0 && (
        <ul>
          {people.slice(0, MAX_RESULTS).map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className="person"
                aria-label={t.choose(person.name)}
                onClick={() => onChoose(person)}
              >
                <PersonLine person={person} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
