// What a layout is asked for, and what it answers: plain values, so that they can be sent to a worker and back.

/** Something to be drawn as a box. */
export interface LayoutNode {
  readonly id: string;
  readonly width_px: number;
  readonly height_px: number;
  /** Its place in the program: among nodes that nothing else orders, what comes first is left of what comes later. */
  readonly order: number;
  /** The opened group that it is inside of; null at the top. */
  readonly group: string | null;
  /** A constant or a parameter: it is drawn just above the first that uses it, not at the top. */
  readonly sinks: boolean;
  /** What is around all others: it hands out what they begin with, and takes what they end with. It is at the top. */
  readonly isFirst: boolean;
}

/** An opened group: a box about its members, with a title above them. */
export interface LayoutGroup {
  readonly id: string;
  readonly group: string | null;
  readonly order: number;
  /** What the title needs; the box is at least as wide. */
  readonly title_width_px: number;
}

/** From what makes something to what uses it, each the id of a node. */
export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
}

export interface LayoutRequest {
  readonly nodes: readonly LayoutNode[];
  readonly groups: readonly LayoutGroup[];
  readonly edges: readonly LayoutEdge[];
}

export interface LayoutBox {
  readonly id: string;
  readonly left_px: number;
  readonly top_px: number;
  readonly width_px: number;
  readonly height_px: number;
}

/** An edge by its place among those of the request. */
export interface LayoutRoute {
  readonly edge: number;
  /** Places that it goes through, x and y in turn; of an edge in stubs where each of its two stubs begins. */
  readonly points_px: readonly number[];
  /** Whether it is so long that only its two ends are drawn. */
  readonly isStub: boolean;
  /** Whether it goes against the direction of all others, since it closes a cycle. */
  readonly isBack: boolean;
}

/** Boxes of nodes do not overlap, and are inside those of their groups. */
export interface Layout {
  readonly nodes: readonly LayoutBox[];
  /** Outer groups before those inside them. */
  readonly groups: readonly LayoutBox[];
  readonly routes: readonly LayoutRoute[];
  readonly width_px: number;
  readonly height_px: number;
}
