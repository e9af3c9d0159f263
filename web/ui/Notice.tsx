import { Check, CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#web/ui/Icon.tsx'

const icons = { success: Check, error: CircleAlert, warning: Info }

export const Notice = ({ kind, children }: { kind: keyof typeof icons; children: ReactNode }) => (
  <p className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    <Icon icon={icons[kind]} />
    <span>{children}</span>
  </p>
)
