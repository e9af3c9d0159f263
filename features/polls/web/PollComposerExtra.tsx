import { ChartBarBig, UserCheck } from 'lucide-react'
import { Suspense } from 'react'
import type { ComposerExtra, EditorProps } from '#web/composer-extras.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { NewPollInput } from '../contract.ts'

const PollEditor = lazyWithRetry(() => import('./PollEditor.tsx'))

const extra: ComposerExtra<NewPollInput> = {
  name: 'poll',
  label: { en: 'Poll', ja: '投票・出欠' },
  icon: ChartBarBig,
  isForMessages: true,
  initial: { kind: 'choice', options: ['', ''] },
  ways: [
    {
      label: { en: 'Attendance', ja: '出欠' },
      icon: UserCheck,
      initial: { kind: 'attendance' },
      isOn: ({ kind }) => kind === 'attendance',
    },
    {
      label: { en: 'Poll', ja: '投票・日程' },
      icon: ChartBarBig,
      initial: { kind: 'choice', options: ['', ''] },
      isOn: ({ kind }) => kind !== 'attendance',
    },
  ],
  Editor: (props: EditorProps<NewPollInput>) => (
    <Suspense fallback={<div style={{ minBlockSize: 260 }} />}>
      <PollEditor {...props} />
    </Suspense>
  ),
}
export default extra
