export declare const colorChange: RegExp;
export declare const erasure: RegExp;
