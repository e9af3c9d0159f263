import { CalendarDays, ChevronDown, MapPin, Paperclip, UserRound, X } from 'lucide-react'
import { Suspense, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLang, useText } from '#web/i18n.ts'
import { pressed } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import type { Form } from './asked.ts'
import { isTime } from './filters.ts'
import { iconOf, labelOf } from './labels.ts'
import { type Place, usePlace } from './place.ts'
import { filterText } from './text.ts'

const FromPanel = lazyWithRetry(() => import('./FromPanel.tsx'))
const InPanel = lazyWithRetry(() => import('./InPanel.tsx'))
const HasPanel = lazyWithRetry(() => import('./HasPanel.tsx'))
const TimePanel = lazyWithRetry(() => import('./TimePanel.tsx'))

type Panel = 'from' | 'in' | 'has' | 'time'

/** What is set, which one tap takes away, and what else there is to narrow down. */
export function Chips({ form }: { form: Form }) {
  const t = useText(filterText)
  const lang = useLang()
  const me = useMe()
  const [open, setOpen] = useState<Panel | null>(null)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const { asked, filters } = form
  const place = usePlace(me ? asked.place : '')

  /** The button that had the focus is gone. */
  const focusButton = (panel?: Panel) =>
    box.current?.querySelector<HTMLElement>(panel ? `[data-panel=${panel}]` : 'button')?.focus()
  const remove = (run: () => void) => {
    flushSync(run)
    focusButton()
  }
  const close = () => {
    const panel = open
    flushSync(() => setOpen(null))
    if (panel) focusButton(panel)
  }
  const set = (next: readonly string[]) => {
    form.setFilters([...new Set(next)])
    close()
  }
  const adders: readonly (readonly [Panel, LucideIcon, string])[] = [
    ...(me ? ([['from', UserRound, t.addFrom]] as const) : []),
    ...(me && !place ? ([['in', MapPin, t.addIn]] as const) : []),
    ['has', Paperclip, t.addHas],
    ['time', CalendarDays, t.addTime],
  ]
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className="filter-chips phone-padding" role="group" aria-label={t.filters} ref={box}>
        {place && (
          <SetChip
            icon={place.kind === 'group' ? MapPin : UserRound}
            label={placeLabel(place, me?.id, t)}
            onRemove={() => remove(() => form.setPlace(''))}
          />
        )}
        {filters.map((text) => (
          <SetChip
            key={text}
            icon={iconOf(text)}
            label={labelOf(text, lang)}
            onRemove={() => remove(() => form.setFilters(filters.filter((one) => one !== text)))}
          />
        ))}
        {adders.map(([panel, icon, label]) => (
          <button
            key={panel}
            type="button"
            className="filter-chip"
            data-panel={panel}
            aria-expanded={open === panel}
            aria-controls={open === panel ? id : undefined}
            onClick={() => setOpen(open === panel ? null : panel)}
          >
            <Icon icon={icon} size="s" />
            {label}
            <Icon icon={ChevronDown} size="s" />
          </button>
        ))}
      </div>
      {open && (
        <section
          className="card filter-panel"
          id={id}
          aria-label={adders.find(([panel]) => panel === open)?.[2]}
          onKeyDown={(event) => {
            if (pressed(event) !== 'Escape') return
            event.preventDefault()
            close()
          }}
        >
          <Suspense fallback={<RowSkeletons count={2} />}>
            {open === 'from' && <FromPanel onChoose={(filter) => set([...filters, filter])} />}
            {open === 'in' && (
              <InPanel
                onChoose={(next) => {
                  form.setPlace(next)
                  close()
                }}
              />
            )}
            {open === 'has' && <HasPanel onChoose={(filter) => set([...filters, filter])} />}
            {open === 'time' && (
              <TimePanel onChoose={(next) => set([...filters.filter((one) => !isTime(one)), ...next])} />
            )}
          </Suspense>
        </section>
      )}
    </>
  )
}

function placeLabel({ kind, id, name }: Place, me: number | undefined, t: (typeof filterText)['en']) {
  if (name === undefined) return t.somewhere
  if (kind === 'group') return t.in(name)
  return id === me ? t.own : t.person(name)
}

interface SetChipProps {
  icon: LucideIcon
  label: string
  onRemove: () => void
}
function SetChip({ icon, label, onRemove }: SetChipProps) {
  const t = useText(filterText)
  return (
    <button type="button" className="filter-chip set" aria-label={t.remove(label)} onClick={onRemove}>
      <Icon icon={icon} size="s" />
      <span>{label}</span>
      <Icon icon={X} size="s" />
    </button>
  )
}
