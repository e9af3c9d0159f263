import './mention-completion.css'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { MentionCandidate } from '../contract.ts'
import { positionMentionCandidateList } from './list-position.ts'
import { mentionCompletionText } from './text.ts'
import { completeMentionInTextArea } from './unfinished-mention.ts'
import { useMentionCandidates } from './useMentionCandidates.ts'
import { useUnfinishedMention } from './useUnfinishedMention.ts'

/**
 * Renders the list of people to mention, below or above the line of a text area in which the member types `@`
 * and a name. The keyboard focus stays in the text area (the combobox pattern of the ARIA Authoring Practices
 * Guide).
 */
export function MentionCompletion({ field }: { field: HTMLTextAreaElement }) {
  const t = useText(mentionCompletionText)
  const id = useId()
  const { mention, dismiss } = useUnfinishedMention(field)
  const { people, isKnown } = useMentionCandidates(field.dataset.mentions ?? '', mention?.word)
  const [marked, setMarked] = useState({ word: '', person: 0 })
  const markedIndex = people.findIndex((one) => one.id === marked.person && marked.word === mention?.word)
  const index = Math.max(0, markedIndex)
  const isOpen = mention !== null && people.length > 0

  const choose = ({ handle }: MentionCandidate) => {
    completeMentionInTextArea(field, handle)
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
    // Renders the list inside the dialog that contains the text area, because a modal dialog blocks clicks on
    // all elements outside it.
    field.closest('dialog, main') ?? document.body,
  )
}

interface PeopleListProps {
  id: string
  field: HTMLTextAreaElement
  /** The index of the `@` in the text of the text area. */
  start: number
  people: readonly MentionCandidate[]
  marked: MentionCandidate
  onChoose: (person: MentionCandidate) => void
}

function PeopleList({ id, field, start, people, marked, onChoose }: PeopleListProps) {
  const t = useText(mentionCompletionText)
  const list = useRef<HTMLDivElement>(null)
  const place = useEffectEvent(() => positionMentionCandidateList(list.current!, field, start))
  useLayoutEffect(() => {
    list.current!.showPopover()
    const controller = new AbortController()
    const { signal } = controller
    // Moves the list when the visible area changes, which also happens when an on-screen keyboard opens.
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
      // A press on the list leaves the keyboard focus in the text area.
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
          <UserText className="name">{person.name}</UserText>
          <span className="text-meta" dir="ltr">{`@${person.handle}`}</span>
        </div>
      ))}
    </div>
  )
}

interface ListKeyHandlers {
  /** Marks the next person of the list if `step` is 1, and the previous person if it is -1. */
  onMove: (step: 1 | -1) => void
  onChoose: () => void
  onClose: () => void
}

/**
 * Handles the keys of the open list before the text area and the page get them. Handles no key while an input
 * method is composing, because the key then chooses among the suggestions of the input method. Safari sends
 * the Enter that ends a composition with the key code 229.
 */
function useListKeys(field: HTMLTextAreaElement, isOpen: boolean, handlers: ListKeyHandlers) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, isComposing, keyCode, ctrlKey, metaKey, altKey, shiftKey } = event
    if (target !== field || isComposing || keyCode === 229) return
    const { onMove, onChoose, onClose } = handlers
    // Ignores keys with Ctrl, Meta, Alt or Shift, so that, for example, Ctrl+Enter sends the text. Enter with
    // one of them also closes the list.
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

/**
 * Sets the ARIA attributes of the text area that tell screen readers which list is open and which option is
 * marked.
 */
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
