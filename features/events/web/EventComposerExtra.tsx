import { CalendarPlus } from 'lucide-react'
import { Suspense } from 'react'
import type { ComposerExtra, EditorProps } from '#web/composer-extras.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { NewEventInput } from '../contract.ts'
import { startingValue } from './starting-value.ts'

const EventEditor = lazyWithRetry(() => import('./EventEditor.tsx'))

const extra: ComposerExtra<NewEventInput> = {
  name: 'event',
  label: { en: 'Event', ja: '予定' },
  icon: CalendarPlus,
  get initial() {
    return startingValue()
  },
  textOf: ({ title }) => title,
  Editor: (props: EditorProps<NewEventInput>) => (
    <Suspense fallback={<div style={{ minBlockSize: 330 }} />}>
      <EventEditor {...props} />
    </Suspense>
  ),
}
export default extra
