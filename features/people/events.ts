declare module '#core/domain-events.ts' {
  interface DomainEvents {
    'member.registered': { id: number }
    'member.suspended': { id: number; suspended_by: number }
    'member.unsuspended': { id: number }
    'follow.created': { follower_id: number; followed_id: number }
    'follow.deleted': { follower_id: number; followed_id: number }
  }
}
