declare module '#core/domain-events.ts' {
  interface DomainEvents {
    'post.created': { id: number; user_id: number }
    'post.deleted': { id: number; user_id: number; actor_id: number }
    'post.liked': { id: number; user_id: number }
    'post.unliked': { id: number; user_id: number }
  }
}
