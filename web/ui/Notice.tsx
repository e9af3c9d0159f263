import { Check, CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#web/ui/Icon.tsx'

const icons = { good: Check, bad: CircleAlert, warn: Info }

/** A message above or below a form: a success, a failure or a warning. */
export const Notice = ({ kind, children }: { kind: 'good' | 'bad' | 'warn'; children: ReactNode }) => (
  <p className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    <Icon of={icons[kind]} />
    <span>{children}</span>
  </p>
)
