import { Check, CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#web/ui/Icon.tsx'

const icons = { success: Check, error: CircleAlert, warning: Info }

/**
 * Renders a box with a short message, for example above or below a form: a success, a failure or a warning.
 */
export const Notice = ({ kind, children }: { kind: keyof typeof icons; children: ReactNode }) => (
  <p className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    <Icon icon={icons[kind]} />
    <span>{children}</span>
  </p>
)
