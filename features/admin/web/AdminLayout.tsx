import './admin.css'
import type { ReactNode } from 'react'
import { ForAdmins } from '#features/people/web/ForAdmins.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'

/** A page for admins that uses the whole width. */
export const AdminLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageLayout kind="wide inset">
    <PageHeader title={title} />
    <ForAdmins>{children}</ForAdmins>
  </PageLayout>
)
