import './admin.css'
import type { ReactNode } from 'react'
import { ForAdmins } from '#features/people/web/ForAdmins.tsx'
import { LogoHouse } from '#web/ui/LogoHouse.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'

/** A page for admins that uses the whole width. */
export const AdminLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <LogoHouse kind="wide inset">
    <PageHeader title={title} />
    <ForAdmins>{children}</ForAdmins>
  </LogoHouse>
)
