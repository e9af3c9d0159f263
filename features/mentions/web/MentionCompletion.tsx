import { pressed } from '#web/keyboard.ts'
import './mention-completion.css'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Reading } from '#features/people/web/Reading.tsx'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Candidate } from '../contract.ts'
import { placeList } from './list-position.ts'
import { mentionText } from './text.ts'
import { completeMention } from './unfinished-mention.ts'
import { useCandidates } from './useCandidates.ts'
import { useUnfinishedMention } from './useUnfinishedMention.ts'

/** The keyboard focus stays in the text area (the combobox pattern of the ARIA Authoring Practices Guide). */
export function MentionCompletion({ field }: { field: HTMLTextAreaElement }) {
  const t = useText(mentionText)
  const id = useId()
  const { mention, dismiss } = useUnfinishedMention(field)
  const { people, isKnown } = useCandidates(field.dataset.mentions ?? '', mention?.word)
  const [marked, setMarked] = useState({ word: '', person: 0 })
  const markedIndex = people.findIndex((one) => one.id === marked.person && marked.word === mention?.word)
  const index = Math.max(0, markedIndex)
  const isOpen = mention !== null && people.length > 0

  const choose = ({ handle }: Candidate) => {
    completeMention(field, handle)
    dismiss()
  }
  useListKeys(field, isOpen, {
    onMove: (step) => {
      const next = people.at((index + step) % people.length)!
      setMarked({ word: mention!.word, person: next.id })
    },
    onChoose: () => choose(people[index]!),
    onClose: dismiss,
  })
  useFieldAttributes(field, isOpen ? { list: id, option: `${id}-${people[index]!.id}` } : null)
  return createPortal(
    <>
      <p className="visually-hidden" role="status">
        {isOpen && t.count(people.length)}
        {mention?.word && isKnown && !people.length && t.none}
      </p>
      {isOpen && (
        <PeopleList
          id={id}
          field={field}
          start={mention.start}
          people={people}
          marked={people[index]!}
          onChoose={choose}
        />
      )}
    </>,
    // Inside the dialog of the text area, because a modal dialog blocks clicks on all elements outside it.
    field.closest('dialog, main') ?? document.body,
  )
}

interface PeopleListProps {
  id: string
  field: HTMLTextAreaElement
  /** The index of the `@`. */
  start: number
  people: readonly Candidate[]
  marked: Candidate
  onChoose: (person: Candidate) => void
}

function PeopleList({ id, field, start, people, marked, onChoose }: PeopleListProps) {
  const t = useText(mentionText)
  const list = useRef<HTMLDivElement>(null)
  const place = useEffectEvent(() => placeList(list.current!, field, start))
  useLayoutEffect(() => {
    list.current!.showPopover()
    const controller = new AbortController()
    const { signal } = controller
    // The visible area also changes when an on-screen keyboard opens.
    for (const type of ['resize', 'scroll']) visualViewport!.addEventListener(type, () => place(), { signal })
    addEventListener('scroll', ({ target }) => target !== list.current && place(), { capture: true, signal })
    return () => controller.abort()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place depends on the size of the list
  useLayoutEffect(() => place(), [people, start])
  useLayoutEffect(() => {
    document.getElementById(`${id}-${marked.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, marked.id])
  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      className="mention-list"
      role="listbox"
      aria-label={t.people}
      // The keyboard focus stays in the text area.
      onMouseDown={(event) => event.preventDefault()}
    >
      {people.map((person) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text area
        // biome-ignore lint/a11y/useKeyWithClickEvents: useListKeys handles the keys
        <div
          key={person.id}
          id={`${id}-${person.id}`}
          role="option"
          aria-selected={person === marked}
          onClick={() => onChoose(person)}
        >
          <Avatar person={person} size="s" />
          <span className="names">
            <UserText className="name">{person.name}</UserText>
            <Reading person={person} aria-hidden />
          </span>
          <span className="text-meta" dir="ltr">{`@${person.handle}`}</span>
        </div>
      ))}
    </div>
  )
}

interface ListKeyHandlers {
  /** `step` is 1 for the next person, -1 for the previous one. */
  onMove: (step: 1 | -1) => void
  onChoose: () => void
  onClose: () => void
}

/** Before the text area and the page get the keys. */
function useListKeys(field: HTMLTextAreaElement, isOpen: boolean, handlers: ListKeyHandlers) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey } = event
    const key = pressed(event)
    if (target !== field || !key) return
    const { onMove, onChoose, onClose } = handlers
    // Ctrl+Enter, for example, sends the text; it also closes the list.
    if (ctrlKey || metaKey || altKey || shiftKey) return key === 'Enter' ? onClose() : undefined
    if (key === 'ArrowDown') onMove(1)
    else if (key === 'ArrowUp') onMove(-1)
    else if (key === 'Enter' || key === 'Tab') onChoose()
    else if (key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    if (!isOpen) return
    const onKeyDown = (event: KeyboardEvent) => handle(event)
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isOpen])
}

/** Tells screen readers which list is open and which option is marked. */
function useFieldAttributes(field: HTMLTextAreaElement, open: { list: string; option: string } | null) {
  const { list, option } = open ?? {}
  useLayoutEffect(() => {
    if (!list || !option) return
    const attributes = { autocomplete: 'list', controls: list, activedescendant: option }
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(`aria-${name}`, value)
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(`aria-${name}`)
    }
  }, [field, list, option])
}
